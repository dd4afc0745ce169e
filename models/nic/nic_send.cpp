// The way out of a NIC: blocks are encoded, packets leave, and when they do.
#include <algorithm>
#include <array>

#include "models/engine/engine_cycles.hpp"
#include "models/network/core/idle.hpp"
#include "models/nic/nic.hpp"

namespace oscar {

/// When each block's bytes are there. What is forwarded is there already, or in the encoder.
void Nic::schedule_blocks(StepId id, const Outbound& out, bool forwarded, const TimedEvent& now) {
    const ChunkId chunk = step_of(id).chunk;
    blocks_ready_.clear();
    if (const auto known = encoded_.find(chunk); forwarded && known != encoded_.end()) {
        blocks_ready_ = known->second;
        return blocks_ready_.hold_until(now);
    }
    if (forwarded) return blocks_ready_.push_back({now, static_cast<std::uint32_t>(out.message->blocks.size())});
    encode_blocks(id, out, now, blocks_ready_);
    if (plan().sent_again[id.value]) encoded_[chunk] = blocks_ready_;
}

/// Local values with their classes come by DMA; the classes of a sum are there, for it was decoded with them. Then the
/// encoder.
void Nic::encode_blocks(StepId id, const Outbound& out, const TimedEvent& now, EventRuns& ready) {
    if (plan().addends(id) > 1 && !participants().uses_engine())
        return ready.push_back({now, static_cast<std::uint32_t>(out.message->blocks.size())});
    for (const BlockRun& run : out.shape->runs) encode_run(run, id, now, ready);
}

/// Blocks that are read or encoded.
void Nic::encode_run(const BlockRun& run, StepId id, const TimedEvent& now, EventRuns& ready) {
    EventRun there{now, run.count};
    if (plan().addends(id) == 1)
        there = read_.serve(now, run.count,
                            Bytes{run.block->values * value_bytes_.read} + side().mask_of(run.block->values));
    if (!participants().uses_engine()) return ready.push_back(there);
    const TimedEvent tables = tables_there(step_of(id).timestep);
    const Cycles cycles = encode_cycles(node_.engine, *run.block);
    for (std::uint32_t i = 0; i < run.count; ++i)
        ready.push_back({encoder_.serve(later(there[i], tables), cycles, node_.engine.encode_latency)});
}

void Nic::packetise(StepId id, PacketKind kind, const TimedEvent& now) {
    const Outbound& out = job_->outbound.at(id);
    const std::uint64_t size = out.message->size();
    const std::uint32_t packets = out.shape->packets;
    Departures& departures = departures_of({id, kind});
    departures.packets = {PacketName{id, kind}.tag(), packets, network_.packet + network_.header,
                          Bytes{size - (packets - 1) * network_.packet.count} + network_.header};
    make_eligible(*out.message, now, departures);
    send_in_turn(id, kind, now);
}

/// A packet may leave one way out of the NIC after all its blocks are there.
void Nic::make_eligible(const Encoded& message, const TimedEvent& now, Departures& departures) const {
    const auto leaving = [&](const TimedEvent& there) { return there.after(way_out_, &CriticalPath::latency_ps); };
    const std::uint32_t packets = departures.packets.packets;
    if (blocks_ready_.empty()) return departures.eligible.push_back({leaving(now), packets});
    if (blocks_ready_.one_moment()) return departures.eligible.push_back({leaving(blocks_ready_[0]), packets});
    std::uint32_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t end = std::min((i + 1) * network_.packet.count, message.size());
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < end) ++block;
        departures.eligible.push_back({leaving(blocks_ready_[block])});
    }
}

/// Hands over a message, that of a step when an aggregator that is to add it has a slot for it.
void Nic::send_in_turn(StepId id, PacketKind kind, const TimedEvent& now) {
    const Outbound& out = job_->outbound.at(id);
    if (kind != PacketKind::message || !needs_slot(id)) return send(id, kind, out.wanted());
    window_.offer(step_of(id).chunk, id);
    send_what_has_a_slot(now);
}

bool Nic::needs_slot(StepId id) const {
    return step_of(id).op == Op::reduce && step_of(id).to.value >= job_->schedule().ranks;
}

void Nic::send_what_has_a_slot(const TimedEvent& now) {
    while (const auto id = window_.take()) {
        departures_of({*id, PacketKind::message}).eligible.hold_until(now);
        send(*id, PacketKind::message, job_->outbound.at(*id).wanted());
    }
}

void Nic::slot_free(const TimedEvent& now) {
    window_.free();
    send_what_has_a_slot(now);
}

/// Hands the packets to the network, which is told when each may leave.
void Nic::send(StepId id, PacketKind kind, std::span<const std::uint32_t> wanted) {
    const Outbound& out = job_->outbound.at(id);
    const Departures& departures = departures_of({id, kind});
    const FabricMessage& message = departures.packets;
    eligible_.clear();
    departures.eligible.for_each_run(0, message.packets, 1, [&](const EventRun& run) {
        for (std::uint32_t i = 0; i < run.count; ++i) eligible_.push_back(run.at(i));
    });
    const Rank to = kind == PacketKind::refusal ? step_of(id).from : step_of(id).to;
    const std::uint32_t channel = job_->channel(id);
    if (!flows_.spray()) {
        const FlowId flow = kind == PacketKind::refusal ? flows_.of(rank_, to, channel).id : out.flow->id;
        return scheduler_.fabric().send(flow, message, eligible_, wanted);
    }
    for (std::uint32_t i = 0; i < message.packets; ++i) {
        const Bytes wire = message.wire_of(i);
        scheduler_.fabric().send(flows_.of(rank_, to, channel, i).id, {PacketName{id, kind, i}.tag(), 1, wire, wire},
                                 std::span(eligible_).subspan(i, 1), std::array{0u});
    }
}

TimedEvent& Nic::last_departure(const PacketName& packet) {
    const FlowTable::Flow* flow = job_->outbound.at(packet.step).flow;
    if (flow == nullptr || packet.kind == PacketKind::refusal) {
        const Step& step = step_of(packet.step);
        flow = &flows_.of(rank_, packet.kind == PacketKind::refusal ? step.from : step.to, job_->channel(packet.step),
                          packet.sequence);
    }
    return last_departure_[flow->path.front().edge];
}

void Nic::count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end) {
    Outcome& outcome = job_->outcome;
    const FabricMessage& message = departures_of(packet).packets;
    const bool last = packet.sequence + count == message.packets;
    wire_.append({begin, end});
    outcome.wire_bytes[packet.step.value] +=
        (last ? count - 1 : count) * message.wire.count + (last ? message.last_wire.count : 0);
    if (packet.kind != PacketKind::refusal && last) outcome.steps[packet.step.value].sent = end - job_->origin;
}

/// A packet leaves when it is ready and the one before has left; if later, it had to wait for credit.
void Nic::departed(const PacketName& packet, Time begin, Time end) {
    count_departed(packet, 1, begin, end);
    Departures& departures = departures_of(packet);
    if (departures.by_packet.empty())
        departures.eligible.for_each_run(0, departures.packets.packets, 1, [&](const EventRun& run) {
            for (std::uint32_t i = 0; i < run.count; ++i) departures.by_packet.push_back(run[i]);
        });
    TimedEvent &departure = departures.by_packet[packet.sequence], &last = last_departure(packet);
    departure = later(departure, last).until(begin, &CriticalPath::wait_ps).until(end, &CriticalPath::wire_ps);
    last = departure;
    if (packet.kind == PacketKind::message && packet.sequence + 1 == departures.packets.packets)
        has_left(packet.step, last);
}

/// Those that may leave at one moment wait for the one before, each but the first for one of them.
void Nic::departed_in_turn(const PacketName& packet, std::uint32_t count, Time begin, Time each) {
    count_departed(packet, count, begin, begin + count * each);
    Departures& departures = departures_of(packet);
    TimedEvent& last = last_departure(packet);
    const auto depart = [&](const TimedEvent& eligible, std::uint32_t together) {
        const TimedEvent first =
            later(eligible, last).until(begin, &CriticalPath::wait_ps).until(begin + each, &CriticalPath::wire_ps);
        departures.in_turn.push_back({first, together, each});
        last = departures.in_turn.last_run().back();
        begin += together * each;
    };
    departures.eligible.for_each_run(packet.sequence, count, 1, [&](const EventRun& run) {
        if (run.each == Time{}) depart(run.first, run.count);
        else
            for (std::uint32_t i = 0; i < run.count; ++i) depart(run[i], 1);
    });
    if (packet.kind == PacketKind::message && packet.sequence + count == departures.packets.packets)
        has_left(packet.step, last);
}

void Nic::will_arrive(const PacketName& packet, std::uint32_t count, Time at) {
    Outbound& out = job_->outbound.at(packet.step);
    if (!out.at_once) return;
    const EventRuns& sent = departures_of(packet).in_turn;
    const Time way = at - sent[packet.sequence].at;
    sent.for_each_run(packet.sequence, count, 1, [&](const EventRun& run) {
        out.arrivals.push_back({arrival_of(packet, run.first, run.first.at + way), run.count, run.each});
    });
}

/// When a packet that left at `departure` has passed this NIC, `at`. What it took on its way beyond an idle network's
/// time, links were busy with others.
TimedEvent Nic::arrival_of(const PacketName& packet, const TimedEvent& departure, Time at) {
    const Time in = at - node_.nic.latency, idle = departure.at + idle_path(packet);
    return departure.until(std::min(idle, in), &CriticalPath::latency_ps)
        .until(in, &CriticalPath::wire_ps)
        .until(at, &CriticalPath::latency_ps);
}

/// From a packet's last bit leaving its rank to that bit's arrival, if no link is busy.
Time Nic::idle_path(const PacketName& packet) {
    const Outbound& out = job_->outbound.at(packet.step);
    const Bytes wire = departures_of(packet).packets.wire_of(packet.sequence);
    const Step& step = step_of(packet.step);
    const bool forth = packet.kind != PacketKind::refusal;
    const FlowTable::Flow& flow = forth && out.flow != nullptr ? *out.flow
                                                               : flows_.of(forth ? step.from : step.to, rank_,
                                                                           job_->channel(packet.step), packet.sequence);
    return idle_latency(flow.path, flows_.topology(), network_, wire);
}

}   // namespace oscar
