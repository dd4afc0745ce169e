#include "models/hw/nic.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

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
      encoder_(node.engine.clock, node.engine.encode_latency),
      decoder_(node.engine.clock, node.engine.decode_latency),
      adder_(node.nic.clock, 1),
      agenda_("agenda"),
      blank_(network.packet.count),
      output_of_edge_(topology.edges.size()) {}

void Nic::add_output(std::uint32_t edge, Link& link) {
    output_of_edge_[edge] = outputs_.size();
    outputs_.push_back(
        std::make_unique<OutputPort>(sc_core::sc_gen_unique_name("output"), link, topology_.ranks,
                                     [this](std::size_t, const Queued& queued, Time begin, Time end) {
                                         append(outcome_->ranks[rank_.value].wire, {begin - origin_, end - origin_});
                                         outcome_->wire_bytes[queued.packet.step.value] += queued.packet.wire().count;
                                         if (queued.packet.last)
                                             outcome_->steps[queued.packet.step.value].sent = end - origin_;
                                     }));
}

void Nic::begin(const Job& job, Time origin, Messages& messages, Outcome& outcome) {
    job_ = &job;
    messages_ = &messages;
    outcome_ = &outcome;
    origin_ = origin;
    started_ = false;
    early_.clear();
    refused_.clear();
    const Schedule& schedule = job.plan.schedule;
    inbound_.assign(schedule.steps.size(), {});
    reduces_in_.assign(schedule.timesteps(), {});
    fetched_.assign(schedule.timesteps(), false);
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i)
        if (schedule.steps[i].to == rank_ && schedule.steps[i].op == Op::reduce)
            reduces_in_[schedule.steps[i].timestep.value].push_back(StepId{i});
    encoder_.clear();
    decoder_.clear();
}

void Nic::issue(StepId id) {
    outcome_->steps[id.value].issued = now() - origin_;
    Endpoint& endpoint = job_->endpoints[rank_.value];
    const bool forwarded = endpoint.forwards(id);
    const auto& message = (*messages_)[id.value] = endpoint.send(id);
    packetise(id, *message, schedule_blocks(id, *message, forwarded, now()), PacketKind::message);
    // Behind what the other slices of the timestep, issued at the same instant, read to send.
    agenda_.at(now(), [this, id] { prefetch_operands(step_of(id).timestep); });
}

/// When each block's bytes are there: local values by DMA, then the encoder. What is forwarded is there already.
std::vector<Time> Nic::schedule_blocks(StepId id, const Encoded& message, bool forwarded, Time earliest) {
    const bool local = job_->plan.contributions[id.value].carried == 1;
    std::vector<Time> ready;
    ready.reserve(message.blocks.size());
    for (const Block& block : message.blocks) {
        Time at = earliest;
        if (!forwarded && local) at = read_.serve(at, Bytes{block.values * element_bytes});
        if (!forwarded && job_->codec.uses_engine())
            at = encoder_.serve(at, block.work.lane_cycles * node_.engine.encode_interval);
        ready.push_back(at);
    }
    return ready;
}

OutputPort& Nic::output_to(Rank rank) {
    return *outputs_[output_of_edge_[topology_.next[rank_.value][rank.value].value()]];
}

void Nic::packetise(StepId id, const Encoded& message, const std::vector<Time>& block_ready, PacketKind kind) {
    const Step& step = step_of(id);
    const std::uint64_t packets = packets_of(message.size(), network_.packet);
    OutputPort& output = output_to(step.to);
    std::size_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t offset = i * network_.packet.count;
        const std::uint64_t size = std::min(network_.packet.count, message.size() - offset);
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < offset + size) ++block;
        const Time ready = message.blocks.empty() ? now() : block_ready[block];
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
        output.push(step.to.value, {packet, ready + node_.nic.latency, Time{}});
    }
}

/// The local values that this timestep's sums will need are read while the network is busy with their other operand.
void Nic::prefetch_operands(Timestep timestep) {
    if (fetched_[timestep.value]) return;
    fetched_[timestep.value] = true;
    const ChunkLayout& layout = job_->endpoints[rank_.value].layout();
    for (const StepId id : reduces_in_[timestep.value])
        inbound_[id.value].operand = read_.serve(now(), Bytes{layout.size(step_of(id).chunk) * element_bytes});
}

void Nic::receive(const Packet& packet, Time tail, Link& link) {
    agenda_.at(tail + node_.nic.latency, [this, packet, &link] { take(packet, link); });
}

void Nic::start() {
    started_ = true;
    for (const Packet& packet : std::exchange(early_, {})) process(packet);
}

void Nic::take(const Packet& packet, Link& link) {
    link.release(packet.wire(), now());
    if (started_) process(packet);
    else early_.push_back(packet);
}

void Nic::process(const Packet& packet) {
    if (packet.kind == PacketKind::refusal) return resend(packet.step);
    Inbound& inbound = inbound_[packet.step.value];
    if (inbound.refused && packet.kind == PacketKind::message) return;
    if (packet.sequence != inbound.packets++ || packet.offset != inbound.received)
        throw std::logic_error("packets of step " + std::to_string(packet.step.value) + " overtook each other");
    prefetch_operands(step_of(packet.step).timestep);   // if this rank has not begun the timestep
    const Encoded& message = *(*messages_)[packet.step.value];
    if (packet.sequence == 0) inbound.bytes.reserve(message.bytes.size());
    if (!message.values) inbound.bytes.insert(inbound.bytes.end(), packet.payload.begin(), packet.payload.end());
    inbound.received += packet.payload.size();
    // Each block's header tells its length; the sender's list says the same without parsing here.
    const auto& blocks = message.blocks;
    while (inbound.next_block < blocks.size() &&
           blocks[inbound.next_block].offset + blocks[inbound.next_block].bytes <= inbound.received) {
        const Block& block = blocks[inbound.next_block++];
        if (!inbound.compared && must_refuse(packet.step, inbound, block)) return refuse(packet.step, inbound);
        process_block(packet.step, inbound, block);
    }
    if (packet.last) complete(packet.step, inbound);
}

/// The first block that is not raw names the tables of the whole message.
bool Nic::must_refuse(StepId id, Inbound& inbound, const Block& block) const {
    inbound.compared = block.mode != BlockMode::raw;
    return !job_->endpoints[rank_.value].holds_tables_of(id, block);
}

/// Forgets what has come of the message and asks for it with a table.
void Nic::refuse(StepId id, Inbound& inbound) {
    Inbound again;
    again.operand = inbound.operand;
    again.refused = true;
    again.compared = true;   // what comes now brings its table; else receive() says what is wrong
    inbound = std::move(again);
    const Step& step = step_of(id);
    const Packet refusal{step.to, step.from, id, 0, 0, {}, network_.header, false, PacketKind::refusal};
    output_to(step.from).push(step.from.value, {refusal, now() + node_.nic.latency, Time{}});
}

/// Encodes a message once more. Its values are read again, or taken from NIC memory, where they are when what brought
/// them is decoded. What is left of the refused message stays in the queue before it.
void Nic::resend(StepId id) {
    const auto message = job_->endpoints[rank_.value].resend(id);
    refused_.push_back(std::exchange((*messages_)[id.value], message));
    ++outcome_->resent.messages;
    outcome_->resent.bytes += message->size();
    const Time earliest = std::max(now(), decoded_at(step_of(id).chunk));
    packetise(id, *message, schedule_blocks(id, *message, false, earliest), PacketKind::resent);
}

/// When the last that came of a chunk had been decoded.
Time Nic::decoded_at(ChunkId chunk) const {
    Time latest;
    for (std::uint32_t i = 0; i < inbound_.size(); ++i) {
        const Step& step = step_of(StepId{i});
        if (step.to == rank_ && step.chunk == chunk) latest = std::max(latest, inbound_[i].done);
    }
    return latest;
}

void Nic::process_block(StepId id, Inbound& inbound, const Block& block) {
    const bool adds = step_of(id).op == Op::reduce;
    Time done = adds ? std::max(now(), inbound.operand) : now();
    if (job_->codec.uses_engine()) done = decoder_.serve(done, block.work.lane_cycles * node_.engine.decode_interval);
    else if (adds) done = adder_.serve(done, (block.values + node_.nic.adders - 1) / node_.nic.adders);
    inbound.done = std::max(inbound.done, done);
    if (job_->plan.completes(id)) {
        Time& finish = outcome_->ranks[rank_.value].finish;
        finish = std::max(finish, write_.serve(done, Bytes{block.values * element_bytes}) - origin_);
    }
}

void Nic::complete(StepId id, Inbound& inbound) {
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
    StepTimes& times = outcome_->steps[id.value];
    times.arrived = now() - origin_;
    const Time ready = step_of(id).op == Op::copy ? now() : std::max(now(), inbound.done);
    times.ready = ready - origin_;
    agenda_.at(ready, [this, id] { on_ready_(id); });
}

}   // namespace oscar
