#include "models/predict/step_cost.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/engine/engine.hpp"
#include "models/gpu/dma_rates.hpp"
#include "models/gpu/gradient_form.hpp"
#include "models/network/event/idle.hpp"
#include "models/network/link/packet.hpp"
#include "models/timing/servers.hpp"

namespace oscar {
namespace {

std::uint64_t values_of(const Encoded& message) {
    std::uint64_t values = 0;
    for (const Block& block : message.blocks) values += block.values;
    return values;
}

/// Tables that nobody could fetch before: the tables of the first timestep, or of each if there is no room for two.
Bytes late_tables(const NodeView& m, Rank rank, Timestep timestep) {
    return timestep.value == 0 || !m.engine_reads.prefetch ? m.engine_reads.tables_of(rank, timestep) : Bytes{};
}

/// Local values with their classes.
Bytes local_bytes(const NodeView& m, ValueBytes bytes, std::uint64_t values) {
    return Bytes{values * bytes.read} + m.engine_reads.mask_of(values);
}

std::unique_ptr<TimedEngine> engine_of(EngineParams params, bool holds_tables) {
    if (holds_tables) params.table_load = 0;
    return make_engine(params);
}

/// The check of a message's tables; nothing if no block is coded by any.
std::optional<std::uint16_t> tables_of(const Encoded& message) {
    const auto coded = std::ranges::find_if(
        message.blocks, [](const Block& block) { return block.mode != BlockMode::raw && block.work.held_tables > 0; });
    return coded == message.blocks.end() ? std::nullopt : std::optional(coded->check);
}

/// Per packet, when it may leave the sender after the issue, as the NIC would compute it alone. `tables` are fetched
/// first.
std::vector<Time> eligible(const NodeView& m, ValueBytes bytes, const Encoded& message, bool local, bool encodes,
                           bool holds_tables, Bytes tables) {
    DmaChannel read(read_rate(m.gpu), read_latency(m.gpu));
    const TimedEvent fetched = tables > 0_B ? read.serve({}, tables) : TimedEvent{};
    const auto engine = engine_of(m.engine, holds_tables);
    std::vector<Time> result(packets_of(message.size(), m.network.packet), m.nic.latency);
    for (const Block& block : message.blocks) {
        TimedEvent ready;
        if (local) ready = read.serve({}, local_bytes(m, bytes, block.values));
        if (encodes) ready = engine->encode(later(ready, fetched), block);
        for (std::uint64_t p = block.offset / m.network.packet.count;
             p * m.network.packet.count < block.offset + block.bytes; ++p)
            result[p] = ready.at + m.nic.latency;
    }
    return result;
}

Bytes wire_of(const NodeView& m, const Encoded& message, std::size_t packet) {
    const std::uint64_t offset = packet * m.network.packet.count;
    return Bytes{std::min(m.network.packet.count, message.size() - offset)} + m.network.header;
}

/// How long the message is on the link that it is on longest: the next one can follow no sooner.
Time longest_occupation(const IdleCrossing& crossing) {
    Time longest;
    for (const Occupation& link : crossing.links) longest = std::max(longest, link.end - link.begin);
    return longest;
}

struct Receiving {
    Time decoded, written;   ///< last block
};

/// The receiver's decoder or adder and write DMA, fed with packets at `arrivals`.
Receiving receive(const NodeView& m, const Plan& plan, const Codec& codec, StepId id, const Encoded& message,
                  bool holds_tables, const std::vector<Time>& arrivals, Time operand) {
    const bool adds = plan.adds(id);
    const ValueBytes bytes = value_bytes(m.gpu.gradients, plan);
    const auto engine = engine_of(m.engine, holds_tables);
    PipelinedUnit adder(m.nic.clock, false, m.nic.adders);
    DmaChannel write(write_rate(m.gpu), write_latency(m.gpu));
    Receiving result{arrivals.back(), {}};
    std::uint64_t packet = 0;   // with which the last block is complete
    for (const Block& block : message.blocks) {
        const std::uint64_t last_byte = std::max<std::uint64_t>(block.offset + block.bytes, 1) - 1;
        const std::uint64_t before = std::exchange(packet, last_byte / m.network.packet.count);
        if (packet != before) adder.begin_piece();
        TimedEvent done{arrivals[packet]};
        done = later(done, {operand});
        if (codec.uses_engine()) done = engine->decode(done, 1, block).done(0);
        else if (adds) done = adder.serve(done, block.values, adder_latency);
        result.decoded = std::max(result.decoded, done.at);
        if (plan.completes(id)) result.written = write.serve(done, Bytes{block.values * bytes.written}).at;
    }
    return result;
}

}   // namespace

StepCost step_cost(const NodeView& m, const NodeView& to, const Plan& plan, const Codec& codec, StepId id,
                   const Encoded& message, bool forwarded, HeldTables held) {
    const Step& step = plan.schedule.steps[id.value];
    const bool local = !forwarded && plan.addends(id) == 1;
    const ValueBytes bytes = value_bytes(m.gpu.gradients, plan);
    const std::vector<Time> leave = eligible(m, bytes, message, local, !forwarded && codec.uses_engine(), held.encoder,
                                             late_tables(m, step.from, step.timestep));
    std::vector<Bytes> wires;
    for (std::size_t p = 0; p < leave.size(); ++p) wires.push_back(wire_of(m, message, p));
    const IdleCrossing crossing =
        cross_idle(m.routes.path(step.from, step.to), m.routes.topology(), m.network, leave, wires);
    const Time wire = longest_occupation(crossing);
    std::vector<Time> arrivals;
    for (const Time arrival : crossing.arrivals) arrivals.push_back(arrival + to.nic.latency);
    const Time path = crossing.arrivals.back() - leave.front() - wire;
    // The receiver fetches its operand after the values that it sends itself, on average the same number.
    const std::uint64_t values = values_of(message);
    const ValueBytes kept = value_bytes(to.gpu.gradients, plan);
    Bytes fetched = late_tables(m, step.to, step.timestep) + m.engine_reads.mask_of(values);
    if (local) fetched += local_bytes(m, kept, values);
    if (plan.adds_first(id)) fetched += Bytes{values * kept.read};
    const Time operand = fetched > 0_B ? read_latency(to.gpu) + read_rate(to.gpu).time_of(fetched) : Time{};
    const Receiving receiving = receive(to, plan, codec, id, message, held.decoder, arrivals, operand);
    const Time ready = plan.adds(id) ? receiving.decoded : arrivals.back();
    return {leave.front(), wire, path, ready - crossing.arrivals.back(), std::max(Time{}, receiving.written - ready)};
}

StepCosts::StepCosts(std::span<const NodeView> machines, const Plan& plan, const Codec& codec)
    : machines_(machines), plan_(plan), codec_(codec), encoders_(machines.size()), decoders_(machines.size()) {
    const auto alike = [](const NodeView& a, const NodeView& b) {
        return a.gpu == b.gpu && a.nic == b.nic && a.engine == b.engine;
    };
    for (const NodeView& machine : machines) {
        const auto first = std::ranges::find_if(machines, [&](const NodeView& other) { return alike(machine, other); });
        kinds_.push_back(static_cast<std::uint32_t>(first - machines.begin()));
    }
}

std::uint32_t StepCosts::links_of(const Step& step) {
    const std::span<const Hop> path = machines_.front().routes.path(step.from, step.to);
    const auto [entry, fresh] = links_of_path_.try_emplace(path.data());
    if (fresh) {
        Links links;
        for (const Hop& hop : path) {
            const LinkParams& link = machines_.front().routes.topology().edges[hop.edge].link;
            links.emplace_back(link.bandwidth, link.propagation);
        }
        entry->second = links_.try_emplace(links, static_cast<std::uint32_t>(links_.size())).first->second;
    }
    return entry->second;
}

HeldTables StepCosts::take_up(const Step& step, const Encoded& message, bool forwarded) {
    const auto [found, fresh] = tables_.try_emplace(&message);
    if (fresh) found->second = tables_of(message);
    const std::optional<std::uint16_t> tables = found->second;
    if (!tables) return {};
    const auto holds = [&](std::optional<std::uint16_t>& array) { return std::exchange(array, tables) == tables; };
    return {!forwarded && holds(encoders_[step.from.value]), holds(decoders_[step.to.value])};
}

StepCosts::Key StepCosts::key_of(StepId id, const Encoded& message, bool forwarded, HeldTables held) {
    const Step& step = plan_.schedule.steps[id.value];
    std::uint32_t roles = 0;
    for (const bool role : {plan_.addends(id) == 1, forwarded, plan_.adds(id), plan_.adds_first(id),
                            plan_.completes(id), held.encoder, held.decoder})
        roles = 2 * roles + (role ? 1 : 0);
    return {links_of(step),
            &message,
            kinds_[step.from.value],
            kinds_[step.to.value],
            late_tables(machines_[step.from.value], step.from, step.timestep),
            late_tables(machines_[step.to.value], step.to, step.timestep),
            roles};
}

StepCost StepCosts::of(StepId id, std::shared_ptr<const Encoded> message, bool forwarded) {
    const Step& step = plan_.schedule.steps[id.value];
    const HeldTables held = take_up(step, *message, forwarded);
    const Key key = key_of(id, *message, forwarded, held);
    if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
    const StepCost cost =
        step_cost(machines_[step.from.value], machines_[step.to.value], plan_, codec_, id, *message, forwarded, held);
    messages_.push_back(std::move(message));
    return cache_.emplace(key, cost).first->second;
}

}   // namespace oscar
