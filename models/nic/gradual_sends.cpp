#include "models/nic/gradual_sends.hpp"

#include <algorithm>
#include <utility>

#include "models/nic/spray.hpp"

namespace oscar {

void GradualSends::add(StepId id, PacketKind kind, bool forwarded, bool as_a_whole, const TimedEvent& now) {
    const auto encoding = encoding_of(id, train_of(id, kind).message, forwarded, now);
    Queue& queue = queue_of(id);
    queue.messages.push_back({id, kind, encoding, as_a_whole, now});
    send_made(queue, now);
}

std::shared_ptr<GradualSends::Encoding> GradualSends::encoding_of(StepId id, const SharedMessage& message,
                                                                  bool forwarded, const TimedEvent& now) {
    const ChunkId chunk = state_.job->job.plan.sent_chunk(id);
    if (const auto found = state_.encodings.find(chunk); forwarded && found != state_.encodings.end())
        return found->second;
    auto made = std::make_shared<Encoding>();
    if (forwarded) {
        made->ready.push_back({now, static_cast<std::uint32_t>(message.bytes->blocks.size())});
        return made;
    }
    units_.encode_later(id, message, now, [this, made](const TimedEvent& done) {
        made->ready.push_back({done});
        for (Queue& queue : state_.queues) send_made(queue, done);
    });
    if (state_.job->job.plan.message_reused[id.value]) state_.encodings[chunk] = made;
    return made;
}

GradualSends::Queue& GradualSends::queue_of(StepId id) {
    const FlowTable::Flow* flow = state_.job->in_flight.at(id).flow;
    const auto there = std::ranges::find(state_.queues, flow, &Queue::flow);
    return there != state_.queues.end() ? *there : state_.queues.emplace_back(Queue{flow, {}});
}

void GradualSends::send_made(Queue& queue, const TimedEvent& now) {
    while (!queue.messages.empty()) {
        Sending& first = queue.messages.front();
        if (first.as_a_whole) {
            const PacketTrain& train = train_of(first.step, first.kind);
            if (first.encoding->ready.size() < train.message.bytes->blocks.size()) return;
            EventRuns ready = first.encoding->ready;
            ready.hold_until(now);
            whole_(first.step, first.kind, ready, now);
        } else if (!send_made_packets(first, now)) {
            return;
        }
        queue.messages.pop_front();
    }
}

/// False: not all of them are made.
bool GradualSends::send_made_packets(Sending& sending, const TimedEvent& now) {
    PacketTrain& train = train_of(sending.step, sending.kind);
    const auto& blocks = train.message.bytes->blocks;
    const EventRuns& ready = sending.encoding->ready;
    const std::uint32_t all = train.packets.packets;
    const bool whole = ready.size() >= blocks.size();
    const auto made = whole ? all : static_cast<std::uint32_t>(blocks[ready.size()].offset / network_.packet.count);
    std::uint32_t block = 0;
    for (std::uint64_t i = sending.handed_over; i < made; ++i) {
        const std::uint64_t end = std::min((i + 1) * network_.packet.count, train.message.bytes->size());
        while (block + 1 < blocks.size() && blocks[block + 1].offset < end) ++block;
        const TimedEvent there = blocks.empty() ? sending.from : later(ready[block], sending.from);
        train.eligible.push_back({later(there.after(latency_, &CriticalPath::latency_ps), now)});
    }
    const std::uint32_t before = std::exchange(sending.handed_over, std::max(made, sending.handed_over));
    if (made > before) hand_over({sending.step, sending.kind, before}, made - before);
    return whole;
}

/// Packets of a message that the network sends as a message by themselves.
void GradualSends::hand_over(const PacketName& first, std::uint32_t count) {
    const StepInFlight& out = state_.job->in_flight.at(first.step);
    const PacketTrain& train = out[first.kind];
    std::vector<TimeRun> eligible;
    train.eligible.for_each_run(first.sequence, count, 1, [&](const EventRun& run) { append(eligible, run.times()); });
    if (out.flow == nullptr)
        return spray(scheduler_, flows_, {rank_, state_.job->step(first.step).to, state_.job->channel(first.step)},
                     train, first.sequence, count, eligible);
    std::vector<std::uint32_t> reported;
    for (const std::uint32_t packet : train.message.shape->complete)
        if (packet >= first.sequence && packet < first.sequence + count) reported.push_back(packet - first.sequence);
    if (reported.empty() || reported.back() != count - 1) reported.push_back(count - 1);
    const FabricMessage part{state_.job->in_flight.tag(first), count, train.packets.wire_of(first.sequence),
                             train.packets.wire_of(first.sequence + count - 1)};
    scheduler_.fabric().send(out.flow->id, part, eligible, reported);
}

}   // namespace oscar
