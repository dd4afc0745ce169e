#include "models/nic/transmit.hpp"

#include <algorithm>
#include <array>

#include "models/nic/spray.hpp"

namespace oscar {
namespace {

/// Packets between a rank and a switch that adds have its share of the links.
PacketFormat format_of(const NetworkParams& network, const Schedule& schedule, const Step& step) {
    const bool adder = std::max(step.from, step.to).value >= schedule.ranks;
    return {network.header, adder ? network.switches.aggregator.link_share : 1};
}

/// Packets that the network is to tell of when they arrive: where nothing else can come between, the first and the
/// last.
std::span<const std::uint32_t> reported_packets(const StepInFlight& out, PacketKind kind) {
    const MessageShape& shape = *out[kind].message.shape;
    return out.uninterrupted ? shape.ends : shape.complete;
}

}   // namespace

void Transmit::begin(RunningJob& job) {
    state_ = {&job};
    gradual_.begin(job);
    state_.window.begin(network_.switches.aggregator.slots);
}

void Transmit::issue(StepId id, const TimedEvent& now) {
    const bool forwarded = job().job.source.forwards(id);
    const Step& step = step_of(id);
    units_.issued(id, now);
    StepInFlight& out = job().in_flight[id];
    if (!flows_.spray()) out.flow = &flows_.of(rank_, step.to, job().channel(id));
    out.uninterrupted = !units_.answers_later(id) && !flows_.spray() && !job().job.source.may_refuse() &&
                        job().one_sender[step.to.value];
    const auto bytes = job().job.source.send(id);
    const PacketTrain& train =
        job().in_flight.post(id, PacketKind::message, bytes, format_of(network_, job().schedule(), step_of(id)));
    make(id, PacketKind::message, train.message, forwarded, now);
}

void Transmit::make(StepId id, PacketKind kind, const SharedMessage& message, bool forwarded, const TimedEvent& now) {
    if (units_.answers_later(id))   // an aggregator's slot is for a whole message
        return gradual_.add(id, kind, forwarded && !job().places.changes_side(id),
                            kind == PacketKind::message && needs_slot(id), now);
    schedule_blocks(id, message, forwarded, now);
    packetise(id, kind, now);
}

/// When each block's bytes are there. What is forwarded is there already, or in the encoder, but not at the other way
/// out of the node.
void Transmit::schedule_blocks(StepId id, const SharedMessage& message, bool forwarded, const TimedEvent& now) {
    const std::pair chunk(job().job.plan.sent_chunk(id), job().places.tier(id));
    blocks_ready_.clear();
    if (const auto found = state_.encoded.find(chunk); forwarded && found != state_.encoded.end()) {
        blocks_ready_ = found->second;
        return blocks_ready_.hold_until(now);
    }
    if (forwarded && !job().places.changes_side(id))
        return blocks_ready_.push_back({now, static_cast<std::uint32_t>(message.bytes->blocks.size())});
    units_.encode_blocks(id, message, now, blocks_ready_);
    if (job().job.plan.message_reused[id.value]) state_.encoded[chunk] = blocks_ready_;
}

void Transmit::packetise(StepId id, PacketKind kind, const TimedEvent& now) {
    make_eligible(now, train_of({id, kind}));
    send_when_slot_free(id, kind, now);
}

/// A packet may leave `latency_` after all its blocks are complete.
void Transmit::make_eligible(const TimedEvent& now, PacketTrain& train) const {
    const auto leaving = [&](const TimedEvent& there) { return there.after(latency_, &CriticalPath::latency_ps); };
    const std::uint32_t packets = train.packets.packets;
    if (blocks_ready_.empty()) return train.eligible.push_back({leaving(now), packets});
    if (blocks_ready_.one_moment()) return train.eligible.push_back({leaving(blocks_ready_[0]), packets});
    const Encoded& message = *train.message.bytes;
    std::uint32_t block = 0;
    for (std::uint64_t i = 0; i < packets; ++i) {
        const std::uint64_t end = std::min((i + 1) * network_.packet.count, message.size());
        while (block + 1 < message.blocks.size() && message.blocks[block + 1].offset < end) ++block;
        train.eligible.push_back({leaving(blocks_ready_[block])});
    }
}

/// Hands over a message, that of a step when an aggregator that is to add it has a slot for it.
void Transmit::send_when_slot_free(StepId id, PacketKind kind, const TimedEvent& now) {
    if (kind != PacketKind::message || !needs_slot(id))
        return send(id, kind, reported_packets(job().in_flight.at(id), kind));
    state_.window.offer(step_of(id).chunk, id);
    send_what_has_a_slot(now);
}

bool Transmit::needs_slot(StepId id) const {
    return step_of(id).op == Op::reduce && step_of(id).to.value >= job().schedule().ranks &&
           !job().schedule().island_switches;
}

void Transmit::send_what_has_a_slot(const TimedEvent& now) {
    while (const auto id = state_.window.take()) {
        train_of({*id, PacketKind::message}).eligible.hold_until(now);
        send(*id, PacketKind::message, reported_packets(job().in_flight.at(*id), PacketKind::message));
    }
}

void Transmit::slot_free(const TimedEvent& now) {
    state_.window.free();
    send_what_has_a_slot(now);
}

/// Hands the packets to the network, which is told when each may leave.
void Transmit::send(StepId id, PacketKind kind, std::span<const std::uint32_t> reported) {
    const StepInFlight& out = job().in_flight.at(id);
    const FabricMessage& message = out[kind].packets;
    eligible_.clear();
    out[kind].eligible.for_each_run(0, message.packets, 1,
                                    [&](const EventRun& run) { append(eligible_, run.times()); });
    const Rank to = kind == PacketKind::refusal ? step_of(id).from : step_of(id).to;
    const std::uint32_t channel = job().channel(id);
    if (!flows_.spray()) {
        const FlowId flow = kind == PacketKind::refusal ? flows_.of(rank_, to, channel).id : out.flow->id;
        return scheduler_.fabric().send(flow, message, eligible_, reported);
    }
    spray(scheduler_, flows_, {rank_, to, channel}, out[kind], 0, message.packets, eligible_);
}

TimedEvent& Transmit::last_departure(const PacketName& packet) {
    const FlowTable::Flow* flow = job().in_flight.at(packet.step).flow;
    if (flow == nullptr || packet.kind == PacketKind::refusal) {
        const Step& step = step_of(packet.step);
        flow = &flows_.of(rank_, packet.kind == PacketKind::refusal ? step.from : step.to, job().channel(packet.step),
                          packet.sequence);
    }
    const EdgeId edge = flow->path.front().edge;
    auto& last = state_.last_departure;
    const auto there = std::ranges::find(last, edge, &std::pair<EdgeId, TimedEvent>::first);
    return there != last.end() ? there->second : last.emplace_back(edge, TimedEvent{}).second;
}

void Transmit::count_departed(const PacketName& packet, std::uint32_t count, Time begin, Time end) {
    Outcome& outcome = job().outcome;
    const FabricMessage& message = train_of(packet).packets;
    const bool last = packet.sequence + count == message.packets;
    state_.wire.append({begin, end});
    job().in_flight.at(packet.step).wire_bytes +=
        (last ? count - 1 : count) * message.wire.count + (last ? message.last_wire.count : 0);
    if (packet.kind != PacketKind::refusal && last) outcome.steps.change(packet.step.value).sent = end - job().origin;
}

/// A packet leaves when it is ready and the one before has left; if later, it had to wait for credit.
void Transmit::departed(const PacketName& packet, Time begin, Time end) {
    count_departed(packet, 1, begin, end);
    PacketTrain& train = train_of(packet);
    train.by_packet.reserve(train.packets.packets);
    if (const auto known = static_cast<std::uint32_t>(train.by_packet.size()); known < train.eligible.size())
        train.eligible.for_each_run(known, train.eligible.size() - known, 1, [&](const EventRun& run) {
            for (std::uint32_t i = 0; i < run.count; ++i) train.by_packet.push_back(run[i]);
        });
    TimedEvent &departure = train.by_packet[packet.sequence], &last = last_departure(packet);
    departure = later(departure, last).until(begin, &CriticalPath::wait_ps).until(end, &CriticalPath::wire_ps);
    last = departure;
    if (packet.kind == PacketKind::message && packet.sequence + 1 == train.packets.packets)
        units_.departed(packet.step, last);
}

/// Those that may leave at one moment wait for the one before, each but the first for one of them.
void Transmit::departed_back_to_back(const PacketName& packet, std::uint32_t count, Time begin, Time each) {
    count_departed(packet, count, begin, begin + count * each);
    PacketTrain& train = train_of(packet);
    TimedEvent& last = last_departure(packet);
    const auto depart = [&](const TimedEvent& eligible, std::uint32_t together) {
        const TimedEvent first =
            later(eligible, last).until(begin, &CriticalPath::wait_ps).until(begin + each, &CriticalPath::wire_ps);
        train.back_to_back.push_back({first, together, each});
        last = train.back_to_back.last_run().back();
        begin += together * each;
    };
    train.eligible.for_each_run(packet.sequence, count, 1, [&](const EventRun& run) {
        if (run.each == Time{}) depart(run.first, run.count);
        else
            for (std::uint32_t i = 0; i < run.count; ++i) depart(run[i], 1);
    });
    if (packet.kind == PacketKind::message && packet.sequence + count == train.packets.packets)
        units_.departed(packet.step, last);
}

/// Its values are read again, or taken from NIC memory. What is left of the refused message stays in the queue before
/// it.
bool Transmit::resend(StepId id, const TimedEvent& now) {
    if (train_of({id, PacketKind::resent}).message.bytes) return false;
    const auto bytes = job().job.source.resend(id);
    const PacketTrain& train =
        job().in_flight.post(id, PacketKind::resent, bytes, format_of(network_, job().schedule(), step_of(id)));
    ++job().outcome.resent.messages;
    job().outcome.resent.bytes += bytes->size();
    make(id, PacketKind::resent, train.message, false, now);
    return true;
}

void Transmit::send_refusal(StepId id, const TimedEvent& now) {
    PacketTrain& train = train_of({id, PacketKind::refusal});
    train.packets = {job().in_flight.tag({id, PacketKind::refusal}), 1, network_.header, network_.header};
    train.eligible.push_back({now.after(latency_, &CriticalPath::latency_ps)});
    send(id, PacketKind::refusal, std::array{0u});
}

}   // namespace oscar
