#include "models/hw/nic.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/engine/engine_cycles.hpp"

namespace oscar {

Nic::Nic(const sc_core::sc_module_name& name, Rank rank, const NodeParams& node, const NetworkParams& network,
         const Topology& topology, Ready on_ready)
    : sc_module(name),
      rank_(rank),
      node_(node),
      network_(network),
      topology_(topology),
      on_ready_(std::move(on_ready)),
      read_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      write_(node.gpu.dma_bandwidth, node.gpu.dma_latency),
      encoder_(node.engine.clock),
      decoder_(node.engine.clock),
      adder_(node.nic.clock),
      agenda_("agenda"),
      blank_(network.packet.count),
      output_of_edge_(topology.edges.size()) {}

void Nic::add_output(std::uint32_t edge, Link& link) {
    output_of_edge_[edge] = outputs_.size();
    outputs_.push_back(std::make_unique<OutputPort>(
        sc_core::sc_gen_unique_name("output"), link, topology_.ranks,
        [this, index = outputs_.size()](std::size_t, const Queued& queued, Time begin, Time end) {
            record_departure(index, queued.packet, begin, end);
        }));
}

void Nic::begin(const Job& job, Time origin, Messages& messages, Departures& departures, Outcome& outcome) {
    job_ = &job;
    value_bytes_ = value_bytes(node_.gpu.gradients, job.plan);
    messages_ = &messages;
    departures_ = &departures;
    outcome_ = &outcome;
    origin_ = origin;
    started_ = false;
    early_.clear();
    refused_.clear();
    encoded_.clear();
    operands_.clear();
    const Schedule& schedule = job.plan.schedule;
    inbound_.assign(schedule.steps.size(), {});
    comes_in_.assign(schedule.timesteps(), {});
    fetched_.assign(schedule.timesteps(), {});
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i)
        if (schedule.steps[i].to == rank_) comes_in_[schedule.steps[i].timestep.value].push_back(StepId{i});
    last_departure_.assign(outputs_.size(), {});
    for (PipelinedUnit* unit : {&encoder_, &decoder_, &adder_}) unit->clear();
    for (Channel* channel : {&read_, &write_}) channel->clear();
}

void Nic::issue(StepId id, const Moment& now) {
    outcome_->steps[id.value].issued = now.at - origin_;
    Endpoint& endpoint = job_->endpoints[rank_.value];
    const bool forwarded = endpoint.forwards(id);
    fetch_tables(step_of(id).timestep.value, now);
    const auto& message = (*messages_)[id.value] = endpoint.send(id);
    packetise(id, *message, schedule_blocks(id, *message, forwarded, now), now, PacketKind::message);
    // Behind what the other slices of the timestep, issued at the same instant, read to send.
    agenda_.at(now.at, [this, id, now] { begin_timestep(step_of(id).timestep, now); });
}

/// When each block's bytes are there: local values with their classes by DMA, then the encoder. What is forwarded is
/// there already, or in the encoder, and so are the classes of a sum: it was decoded with them.
std::vector<Moment> Nic::schedule_blocks(StepId id, const Encoded& message, bool forwarded, const Moment& now) {
    const bool local = job_->plan.addends(id) == 1;
    const ChunkId chunk = step_of(id).chunk;
    if (const auto known = encoded_.find(chunk); forwarded && known != encoded_.end()) {
        std::vector<Moment> ready = known->second;
        for (Moment& at : ready) at = later(now, at);
        return ready;
    }
    const Moment& tables = fetched_[step_of(id).timestep.value].tables_there;
    std::vector<Moment> ready;
    ready.reserve(message.blocks.size());
    for (const Block& block : message.blocks) {
        Moment at = now;
        if (!forwarded && local)
            at = read_.serve(at, Bytes{block.values * value_bytes_.read} + job_->side.mask_of(block.values));
        if (!forwarded && job_->codec.uses_engine())
            at = encoder_.serve(later(at, tables), encode_cycles(node_.engine, block), node_.engine.encode_latency);
        ready.push_back(at);
    }
    if (!forwarded && job_->plan.sent_again[id.value]) encoded_[chunk] = ready;
    return ready;
}

OutputPort& Nic::output_to(Rank rank) {
    return *outputs_[output_of_edge_[topology_.next[rank_.value][rank.value].value()]];
}

/// Queues a packet that may leave one NIC latency after `ready`.
void Nic::push(const Packet& packet, const Moment& ready) {
    const Moment& eligible =
        departures_of(packet).emplace_back(ready.after(node_.nic.latency, &CriticalPath::latency_ps));
    output_to(packet.to).push(packet.to.value, {packet, eligible.at, Time{}});
}

void Nic::packetise(StepId id, const Encoded& message, const std::vector<Moment>& block_ready, const Moment& now,
                    PacketKind kind) {
    const Step& step = step_of(id);
    const std::uint64_t packets = packets_of(message.size(), network_.packet);
    std::size_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t offset = i * network_.packet.count;
        const std::uint64_t size = std::min(network_.packet.count, message.size() - offset);
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < offset + size) ++block;
        const Packet packet{
            step.from,
            step.to,
            id,
            static_cast<std::uint32_t>(i),
            offset,
            message.values ? std::span(blank_).first(size) : std::span(message.bytes).subspan(offset, size),
            network_.header,
            i + 1 == packets,
            kind};
        push(packet, message.blocks.empty() ? now : block_ready[block]);
    }
}

/// A packet leaves when it is ready and the one before has left; if later, it had to wait for credit.
void Nic::record_departure(std::size_t output, const Packet& packet, Time begin, Time end) {
    append(outcome_->ranks[rank_.value].wire, {begin - origin_, end - origin_});
    outcome_->wire_bytes[packet.step.value] += packet.wire().count;
    if (packet.last) outcome_->steps[packet.step.value].sent = end - origin_;
    Moment& departure = departures_of(packet)[packet.sequence];
    departure = later(departure, last_departure_[output])
                    .until(begin, &CriticalPath::wait_ps)
                    .until(end, &CriticalPath::wire_ps);
    last_departure_[output] = departure;
}

/// Now, when a packet has passed this NIC. What it took on its way beyond an idle network's time, links were busy with
/// others.
Moment Nic::arrival_of(const Packet& packet) const {
    const Moment& departure = departures_of(packet)[packet.sequence];
    const Time in = now() - node_.nic.latency;
    const Time idle = departure.at + idle_transit(topology_, network_, packet.from, packet.to, packet.wire());
    return departure.until(std::min(idle, in), &CriticalPath::latency_ps)
        .until(in, &CriticalPath::wire_ps)
        .until(now(), &CriticalPath::latency_ps);
}

/// The local values that this timestep's sums will need, once for all that is added to them, and the classes of all
/// that comes, are read while the network is busy with their other operand; then the tables of the next timestep.
void Nic::begin_timestep(Timestep timestep, const Moment& now) {
    if (fetched_[timestep.value].operands) return;
    fetched_[timestep.value].operands = true;
    fetch_tables(timestep.value, now);
    const ChunkLayout& layout = job_->endpoints[rank_.value].layout();
    for (const StepId id : comes_in_[timestep.value]) {
        const ChunkId chunk = step_of(id).chunk;
        const std::uint64_t values = layout.size(chunk);
        const bool remainder = job_->plan.known[id.value].has_value(), adds = job_->plan.adds(id);
        const bool reads = remainder || (adds && !operands_.contains(chunk));
        const Bytes size = Bytes{reads ? values * value_bytes_.read : 0} + job_->side.mask_of(values);
        Moment& operand = inbound_[id.value].operand;
        if (size > 0_B) operand = read_.serve(now, size);
        if (adds && !remainder) operand = later(operand, operands_.try_emplace(chunk, operand).first->second);
    }
    if (job_->side.prefetch) fetch_tables(timestep.value + 1, now);
}

void Nic::fetch_tables(std::uint32_t timestep, const Moment& now) {
    if (timestep == fetched_.size() || fetched_[timestep].tables) return;
    fetched_[timestep].tables = true;
    const Bytes size = job_->side.tables_of(rank_, Timestep{timestep});
    if (size > 0_B) fetched_[timestep].tables_there = read_.serve(now, size);
}

void Nic::receive(const Packet& packet, Time tail, Link& link) {
    agenda_.at(tail + node_.nic.latency, [this, packet, &link] { take(packet, link); });
}

void Nic::start(const Moment& now) {
    started_ = true;
    for (const Early& early : std::exchange(early_, {})) process(early.packet, later(early.arrival, now));
}

void Nic::take(const Packet& packet, Link& link) {
    link.release(packet.wire(), now());
    if (started_) process(packet, arrival_of(packet));
    else early_.push_back({packet, arrival_of(packet)});
}

void Nic::process(const Packet& packet, const Moment& now) {
    if (packet.kind == PacketKind::refusal) return resend(packet.step, now);
    Inbound& inbound = inbound_[packet.step.value];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    if (packet.sequence != inbound.packets++ || packet.offset != inbound.received)
        throw std::logic_error("packets of step " + std::to_string(packet.step.value) + " overtook each other");
    begin_timestep(step_of(packet.step).timestep, now);   // if this rank has not begun the timestep
    const Encoded& message = *(*messages_)[packet.step.value];
    if (packet.sequence == 0) inbound.bytes.reserve(message.bytes.size());
    if (!message.values) inbound.bytes.insert(inbound.bytes.end(), packet.payload.begin(), packet.payload.end());
    inbound.received += packet.payload.size();
    // Each block's header tells its length; the sender's list says the same without parsing here.
    const auto& blocks = message.blocks;
    while (inbound.next_block < blocks.size() &&
           blocks[inbound.next_block].offset + blocks[inbound.next_block].bytes <= inbound.received) {
        const Block& block = blocks[inbound.next_block++];
        if (!inbound.compared && must_refuse(packet.step, inbound, block)) return refuse(packet.step, inbound, now);
        process_block(packet.step, inbound, block, now);
    }
    if (packet.last) complete(packet.step, inbound, now);
}

/// The first block that is not raw names the tables of the whole message.
bool Nic::must_refuse(StepId id, Inbound& inbound, const Block& block) const {
    inbound.compared = block.mode != BlockMode::raw;
    return !job_->endpoints[rank_.value].holds_tables_of(id, block);
}

/// Forgets what has come of the message and asks for it with a table.
void Nic::refuse(StepId id, Inbound& inbound, const Moment& now) {
    Inbound again;
    again.operand = inbound.operand;
    again.refused = true;
    again.compared = true;   // what comes now brings its table; else receive() says what is wrong
    inbound = std::move(again);
    const Step& step = step_of(id);
    push({step.to, step.from, id, 0, 0, {}, network_.header, false, PacketKind::refusal}, now);
}

/// Encodes a message once more. Its values are read again, or taken from NIC memory, where they are when what brought
/// them is decoded. What is left of the refused message stays in the queue before it.
void Nic::resend(StepId id, const Moment& now) {
    const auto message = job_->endpoints[rank_.value].resend(id);
    refused_.push_back(std::exchange((*messages_)[id.value], message));
    ++outcome_->resent.messages;
    outcome_->resent.bytes += message->size();
    const Moment earliest = later(now, decoded_at(step_of(id).chunk));
    packetise(id, *message, schedule_blocks(id, *message, false, earliest), earliest, PacketKind::resent);
}

/// When the last that came of a chunk had been decoded.
Moment Nic::decoded_at(ChunkId chunk) const {
    Moment latest;
    for (std::uint32_t i = 0; i < inbound_.size(); ++i) {
        const Step& step = step_of(StepId{i});
        if (step.to == rank_ && step.chunk == chunk) latest = later(latest, inbound_[i].done);
    }
    return latest;
}

void Nic::process_block(StepId id, Inbound& inbound, const Block& block, const Moment& now) {
    const bool adds = job_->plan.adds(id);
    Moment done = later(now, inbound.operand);
    if (job_->codec.uses_engine()) done = later(done, fetched_[step_of(id).timestep.value].tables_there);
    if (job_->codec.uses_engine())
        done = decoder_.serve(done, decode_cycles(node_.engine, block), decode_latency(node_.engine, block));
    else if (adds) done = adder_.serve(done, (block.values + node_.nic.adders - 1) / node_.nic.adders, adder_latency);
    inbound.done = later(inbound.done, done);
    if (job_->plan.completes(id)) write_back(id, block, done);
}

void Nic::write_back(StepId id, const Block& block, const Moment& done) {
    const Moment written = write_.serve(done, Bytes{block.values * value_bytes_.written});
    RankUse& use = outcome_->ranks[rank_.value];
    if (written.at - origin_ <= use.finish) return;
    use.finish = written.at - origin_;
    use.path = written.path;
    use.last = id;
}

void Nic::complete(StepId id, Inbound& inbound, const Moment& now) {
    Endpoint& endpoint = job_->endpoints[rank_.value];
    const std::uint64_t values = endpoint.layout().size(step_of(id).chunk);
    if (const auto& message = (*messages_)[id.value]; message->values) {
        outcome_->sent[id.value] = record(values, inbound.received);
        endpoint.receive_values(id, message);
    } else {
        outcome_->sent[id.value] = record(values, inbound.bytes);
        endpoint.receive(id, std::move(inbound.bytes));
    }
    (*messages_)[id.value].reset();   // memory stays with what is on its way
    (*departures_)[id.value] = {};
    StepTimes& times = outcome_->steps[id.value];
    times.arrived = now.at - origin_;
    const Moment& ready = job_->plan.adds(id) ? later(now, inbound.done) : now;
    times.ready = ready.at - origin_;
    times.path = ready.path;
    agenda_.at(ready.at, [this, id] { on_ready_(id); });
}

}   // namespace oscar
