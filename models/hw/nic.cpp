#include "models/hw/nic.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "models/engine/engine_cycles.hpp"
#include "models/net/idle.hpp"

namespace oscar {
namespace {

/// The packets with which a block is complete, the first and the last: at these a receiver does something.
std::vector<std::uint32_t> last_packets(const Encoded& message, Bytes packet) {
    std::vector<std::uint32_t> result{0};
    const auto add = [&](std::uint64_t end) {
        const auto last = static_cast<std::uint32_t>(packets_of(end, packet) - 1);
        if (last > result.back()) result.push_back(last);
    };
    for (const Block& block : message.blocks) add(block.offset + block.bytes);
    add(message.size());
    return result;
}

}   // namespace

Nic::Nic(Rank rank, const NodeParams& node, const NetworkParams& network, Timeline& timeline, Flows& flows,
         Ready on_ready, Time way_out)
    : rank_(rank),
      node_(node),
      network_(network),
      timeline_(timeline),
      flows_(flows),
      on_ready_(std::move(on_ready)),
      way_out_(way_out),
      read_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      write_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      encoder_(node.engine.clock),
      decoder_(node.engine.clock),
      adder_(node.nic.clock),
      blank_(network.packet.count) {}

void Nic::begin(RunningJob& job) {
    job_ = &job;
    value_bytes_ = value_bytes(node_.gpu.gradients, job.job.plan);
    started_ = false;
    early_.clear();
    refused_.clear();
    const std::uint32_t timesteps = job.schedule().timesteps();
    operands_asked_.assign(timesteps, false);
    tables_asked_.assign(timesteps, false);
    tables_there_.clear();
    decoded_.clear();
    last_departure_.clear();
    encoded_.clear();
    operands_.clear();
    window_.begin(network_.router.aggregator.slots);
    for (PipelinedUnit* unit : {&encoder_, &decoder_, &adder_}) unit->clear();
    for (Channel* channel : {&read_, &write_}) channel->clear();
}

void Nic::issue(StepId id, const Moment& now) {
    job_->outcome.steps[id.value].issued = since_begin(now);
    const bool forwarded = participants().forwards(id);
    fetch_tables(step_of(id).timestep.value, now);
    const auto& message = job_->outbound[id].message = participants().send(id);
    packetise(id, *message, schedule_blocks(id, *message, forwarded, now), now, PacketKind::message);
    // Behind what the other slices of the timestep, issued at the same instant, read to send.
    if (!operands_asked_[step_of(id).timestep.value])
        timeline_.at(now.at, Stage::timestep, id.value, [this, id, now] { begin_timestep(step_of(id).timestep, now); });
}

/// When each block's bytes are there. What is forwarded is there already, or in the encoder.
std::vector<Moment> Nic::schedule_blocks(StepId id, const Encoded& message, bool forwarded, const Moment& now) {
    const ChunkId chunk = step_of(id).chunk;
    if (const auto known = encoded_.find(chunk); forwarded && known != encoded_.end()) {
        std::vector<Moment> ready = known->second;
        for (Moment& at : ready) at = later(now, at);
        return ready;
    }
    if (forwarded) return std::vector(message.blocks.size(), now);
    std::vector<Moment> ready = encode_blocks(id, message, now);
    if (plan().sent_again[id.value]) encoded_[chunk] = ready;
    return ready;
}

/// Local values with their classes come by DMA; the classes of a sum are there, for it was decoded with them. Then the
/// encoder.
std::vector<Moment> Nic::encode_blocks(StepId id, const Encoded& message, const Moment& now) {
    const bool local = plan().addends(id) == 1;
    const Moment tables = tables_there(step_of(id).timestep);
    std::vector<Moment> ready;
    ready.reserve(message.blocks.size());
    for (const Block& block : message.blocks) {
        Moment at = now;
        if (local) at = read_.serve(at, Bytes{block.values * value_bytes_.read} + side().mask_of(block.values));
        if (participants().uses_engine())
            at = encoder_.serve(later(at, tables), encode_cycles(node_.engine, block), node_.engine.encode_latency);
        ready.push_back(at);
    }
    return ready;
}

void Nic::packetise(StepId id, const Encoded& message, const std::vector<Moment>& block_ready, const Moment& now,
                    PacketKind kind) {
    const std::uint64_t packets = packets_of(message.size(), network_.packet), full = packets - 1;
    packets_of_kind(id, kind) = {PacketName{id, kind}.tag(), static_cast<std::uint32_t>(packets),
                                 network_.packet + network_.header,
                                 Bytes{message.size() - full * network_.packet.count} + network_.header};
    std::vector<Moment>& departures = departures_of(id, kind);
    std::size_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t end = std::min((i + 1) * network_.packet.count, message.size());
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < end) ++block;
        const Moment& ready = message.blocks.empty() ? now : block_ready[block];
        departures.push_back(ready.after(way_out_, &CriticalPath::latency_ps));
    }
    if (kind != PacketKind::message || !needs_slot(id)) return send(id, kind, last_packets(message, network_.packet));
    window_.offer(step_of(id).chunk, id);
    send_what_has_a_slot(now);
}

bool Nic::needs_slot(StepId id) const {
    return step_of(id).op == Op::reduce && step_of(id).to.value >= job_->schedule().ranks;
}

void Nic::send_what_has_a_slot(const Moment& now) {
    while (const auto id = window_.take()) {
        for (Moment& departure : departures_of(*id, PacketKind::message)) departure = later(departure, now);
        send(*id, PacketKind::message, last_packets(*job_->outbound.at(*id).message, network_.packet));
    }
}

void Nic::slot_free(const Moment& now) {
    window_.free();
    send_what_has_a_slot(now);
}

/// Hands to the network the packets of which departures_of() tells when they may leave: one NIC latency after they are
/// there.
void Nic::send(StepId id, PacketKind kind, std::span<const std::uint32_t> wanted) {
    const std::vector<Moment>& departures = departures_of(id, kind);
    eligible_.clear();
    for (const Moment& departure : departures) eligible_.push_back(departure.at);
    const Rank to = kind == PacketKind::refusal ? step_of(id).from : step_of(id).to;
    const FabricMessage& message = packets_of_kind(id, kind);
    if (!flows_.spray()) return timeline_.fabric().send(flows_.of(rank_, to).id, message, eligible_, wanted);
    for (std::uint32_t i = 0; i < message.packets; ++i) {
        const Bytes wire = message.wire_of(i);
        timeline_.fabric().send(flows_.of(rank_, to, i).id, {PacketName{id, kind, i}.tag(), 1, wire, wire},
                                std::span(eligible_).subspan(i, 1), std::array{0u});
    }
}

/// A packet leaves when it is ready and the one before has left; if later, it had to wait for credit.
void Nic::departed(const PacketName& packet, Time begin, Time end) {
    Outcome& outcome = job_->outcome;
    const FabricMessage& message = packets_of_kind(packet.step, packet.kind);
    append(outcome.ranks[rank_.value].wire, {begin - job_->origin, end - job_->origin});
    outcome.wire_bytes[packet.step.value] += message.wire_of(packet.sequence).count;
    if (packet.kind != PacketKind::refusal && packet.sequence + 1 == message.packets)
        outcome.steps[packet.step.value].sent = end - job_->origin;
    const Rank to = packet.kind == PacketKind::refusal ? step_of(packet.step).from : step_of(packet.step).to;
    Moment& departure = departures_of(packet.step, packet.kind)[packet.sequence];
    Moment& last = last_departure_[flows_.of(rank_, to, packet.sequence).path.front().edge];
    departure = later(departure, last).until(begin, &CriticalPath::wait_ps).until(end, &CriticalPath::wire_ps);
    last = departure;
    if (packet.kind == PacketKind::message && packet.sequence + 1 == message.packets) has_left(packet.step, last);
}

/// Now, when a packet has passed this NIC. What it took on its way beyond an idle network's time, links were busy with
/// others.
Moment Nic::arrival_of(const PacketName& packet) {
    const Moment& departure = departures_of(packet.step, packet.kind)[packet.sequence];
    const Time now = timeline_.now(), in = now - node_.nic.latency, idle = departure.at + idle_way(packet);
    return departure.until(std::min(idle, in), &CriticalPath::latency_ps)
        .until(in, &CriticalPath::wire_ps)
        .until(now, &CriticalPath::latency_ps);
}

/// From a packet's last bit leaving its rank to that bit's arrival, if no link is busy.
Time Nic::idle_way(const PacketName& packet) {
    const Bytes wire = packets_of_kind(packet.step, packet.kind).wire_of(packet.sequence);
    const Step& step = step_of(packet.step);
    const Rank from = packet.kind == PacketKind::refusal ? step.to : step.from;
    return idle_latency(flows_.of(from, rank_, packet.sequence).path, flows_.topology(), network_, wire);
}

/// The local values that this timestep's sums will need, once for all that is added to them, and the classes of all
/// that comes, are read while the network is busy with their other operand; then the tables of the next timestep.
void Nic::begin_timestep(Timestep timestep, const Moment& now) {
    if (operands_asked_[timestep.value]) return;
    operands_asked_[timestep.value] = true;
    fetch_tables(timestep.value, now);
    for (const StepId id : of_timestep(job_->schedule(), job_->incoming[rank_.value], timestep)) {
        const ChunkId chunk = step_of(id).chunk;
        const std::uint64_t values = participants().values(id);
        const bool remainder = plan().known[id.value].has_value(), adds = plan().adds(id);
        const bool reads = remainder || (adds && !operands_.contains(chunk));
        const Bytes size = Bytes{reads ? values * value_bytes_.read : 0} + side().mask_of(values);
        Moment operand;
        if (size > 0_B) operand = read_.serve(now, size);
        if (adds && !remainder) operand = later(operand, operands_.try_emplace(chunk, operand).first->second);
        if (adds || size > 0_B) job_->inbound[id].operand = operand;
    }
    if (side().prefetch) fetch_tables(timestep.value + 1, now);
}

void Nic::fetch_tables(std::uint32_t timestep, const Moment& now) {
    if (timestep == tables_asked_.size() || tables_asked_[timestep]) return;
    tables_asked_[timestep] = true;
    const Bytes size = side().tables_of(rank_, Timestep{timestep});
    if (size > 0_B) tables_there_[Timestep{timestep}] = read_.serve(now, size);
}

/// The beginning of time where none are read.
Moment Nic::tables_there(Timestep timestep) const {
    const auto found = tables_there_.find(timestep);
    return found == tables_there_.end() ? Moment{} : found->second;
}

void Nic::start(const Moment& now) {
    started_ = true;
    for (const Early& early : std::exchange(early_, {})) process(early.packet, later(early.arrival, now));
}

void Nic::arrived(const PacketName& packet) {
    if (started_) process(packet, arrival_of(packet));
    else early_.push_back({packet, arrival_of(packet)});
}

void Nic::process(const PacketName& packet, const Moment& now) {
    if (packet.kind == PacketKind::refusal) return resend(packet.step, now);
    Inbound& inbound = job_->inbound[packet.step];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    if (flows_.spray() && packet.sequence > inbound.assembly.packets()) {
        inbound.ahead.insert(packet.sequence);
        return;
    }
    std::vector<PacketName> due{packet};   // and those that had overtaken it
    for (; inbound.ahead.erase(due.back().sequence + 1) > 0;) {
        due.push_back(due.back());
        ++due.back().sequence;
    }
    for (const PacketName& next : due) process_next(next, now);
}

void Nic::process_next(const PacketName& packet, const Moment& now) {
    Inbound& inbound = job_->inbound[packet.step];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    begin_timestep(step_of(packet.step).timestep, now);   // if this rank has not begun the timestep
    assemble(packet, inbound);
    // Each block's header tells its length; the sender's list says the same without parsing here.
    const auto& blocks = job_->outbound.at(packet.step).message->blocks;
    while (inbound.next_block < blocks.size() &&
           blocks[inbound.next_block].offset + blocks[inbound.next_block].bytes <= inbound.assembly.received()) {
        const Block& block = blocks[inbound.next_block++];
        if (!inbound.compared && must_refuse(packet.step, inbound, block)) return refuse(packet.step, inbound, now);
        process_block(packet.step, inbound, block, now);
    }
    if (packet.sequence + 1 == packets_of_kind(packet.step, packet.kind).packets) complete(packet.step, inbound, now);
}

/// Adds the packets up to this one to those that have come.
void Nic::assemble(const PacketName& last, Inbound& inbound) const {
    if (last.sequence < inbound.assembly.packets())
        throw std::logic_error("packets of step " + std::to_string(last.step.value) + " overtook each other");
    const Encoded& message = *job_->outbound.at(last.step).message;
    const Step& step = step_of(last.step);
    for (std::uint32_t i = inbound.assembly.packets(); i <= last.sequence; ++i) {
        const std::uint64_t offset = inbound.assembly.received();
        const std::uint64_t size = std::min(network_.packet.count, message.size() - offset);
        inbound.assembly.add(
            message, {step.from, step.to, last.step, i, offset,
                      message.values ? std::span(blank_).first(size) : std::span(message.bytes).subspan(offset, size),
                      network_.header, offset + size == message.size(), last.kind});
    }
}

/// The first block that is not raw names the tables of the whole message.
bool Nic::must_refuse(StepId id, Inbound& inbound, const Block& block) const {
    inbound.compared = block.mode != BlockMode::raw;
    return !participants().holds_tables_of(id, block);
}

/// Forgets what has come of the message and asks for it with a table.
void Nic::refuse(StepId id, Inbound& inbound, const Moment& now) {
    const Moment operand = inbound.operand;
    inbound.clear();
    inbound.operand = operand;
    inbound.refused = true;
    inbound.compared = true;   // what comes now brings its table; else receive() says what is wrong
    packets_of_kind(id, PacketKind::refusal) = {PacketName{id, PacketKind::refusal}.tag(), 1, network_.header,
                                                network_.header};
    departures_of(id, PacketKind::refusal) = {now.after(way_out_, &CriticalPath::latency_ps)};
    send(id, PacketKind::refusal, std::array{0u});
}

/// Encodes a message once more. Its values are read again, or taken from NIC memory, where they are when what brought
/// them is decoded. What is left of the refused message stays in the queue before it.
void Nic::resend(StepId id, const Moment& now) {
    const auto message = participants().resend(id);
    refused_.push_back(std::exchange(job_->outbound.at(id).message, message));
    ++job_->outcome.resent.messages;
    job_->outcome.resent.bytes += message->size();
    const auto decoded = decoded_.find(step_of(id).chunk);
    const Moment earliest = decoded == decoded_.end() ? now : later(now, decoded->second);
    packetise(id, *message, schedule_blocks(id, *message, false, earliest), earliest, PacketKind::resent);
}

void Nic::process_block(StepId id, Inbound& inbound, const Block& block, const Moment& now) {
    const bool adds = plan().adds(id);
    Moment done = later(now, inbound.operand);
    if (participants().uses_engine()) done = later(done, tables_there(step_of(id).timestep));
    if (participants().uses_engine())
        done = decoder_.serve(done, decode_cycles(node_.engine, block), decode_latency(node_.engine, block));
    else if (adds) done = adder_.serve(done, (block.values + node_.nic.adders - 1) / node_.nic.adders, adder_latency);
    inbound.done = later(inbound.done, done);
    if (plan().completes(id)) write_back(id, block, done);
}

void Nic::write_back(StepId id, const Block& block, const Moment& done) {
    const Moment written = write_.serve(done, Bytes{block.values * value_bytes_.written});
    RankUse& use = job_->outcome.ranks[rank_.value];
    if (since_begin(written) <= use.finish) return;
    use.finish = since_begin(written);
    use.path = written.path;
    use.last = id;
}

void Nic::complete(StepId id, Inbound& inbound, const Moment& now) {
    Outcome& outcome = job_->outcome;
    outcome.sent[id.value] = inbound.assembly.as_sent()
                                 ? participants().receive(id, job_->outbound.at(id).message)
                                 : participants().receive_altered(id, std::move(inbound.assembly.bytes()));
    StepTimes& times = outcome.steps[id.value];
    times.arrived = since_begin(now);
    const Moment ready = plan().adds(id) ? later(now, inbound.done) : now;
    times.ready = since_begin(ready);
    times.path = ready.path;
    if (participants().may_refuse()) decoded_[step_of(id).chunk] = inbound.done;   // later than what came of it before
    job_->outbound.erase(id);   // memory stays with what is on its way
    job_->inbound.erase(id);
    timeline_.at(ready.at, Stage::ready, id.value, [this, id] { on_ready_(id); });
}

}   // namespace oscar
