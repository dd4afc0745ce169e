#include "models/machine/flit/output_port.hpp"

#include <algorithm>
#include <utility>

#include "models/machine/base/kernel_time.hpp"
#include "models/network/link/packet.hpp"

namespace oscar {

OutputPort::OutputPort(const sc_core::sc_module_name& name, const OutputPortParams& params, DepartureCallback departed)
    : sc_module(name),
      out("out"),
      credit("credit"),
      flit_(params.flit),
      byte_(ExactTime::of_byte(params.bandwidth)),
      flit_time_(params.flit * byte_),
      quantum_(params.quantum),
      departed_(std::move(departed)),
      channels_(params.channels, Channel{Credits(params.buffer)}),
      waiting_packets_(level_of(params.waveform, this->name(), "queue")),
      last_channel_(static_cast<std::uint8_t>(params.channels - 1)) {
    credit.bind(*this);
    for (std::uint32_t c = 0; c < params.channels; ++c)
        channels_[c].free_bytes =
            level_of(params.waveform, this->name(), "credit" + std::to_string(c), params.buffer.count);
    SC_METHOD(act);
    sensitive << wake_;
    dont_initialize();
}

QueuedPacket& OutputPort::join(QueueKey key, const Flit& head, Time eligible, std::uint32_t input) {
    if (free_.empty()) free_.push_back(&packets_.emplace_back());
    QueuedPacket& packet = *free_.back();
    free_.pop_back();
    packet.next = head;
    packet.flits = packet_flits(head.packet.wire, flit_);
    packet.next.tail = packet.flits == 1;
    packet.eligible = eligible, packet.queue = key, packet.input = input;
    packet.ready.clear();
    Queue& queue = channels_[head.link().channel].queues[key];
    queue.packets.push_back(&packet);
    ++waiting_;
    if (waiting_packets_ != nullptr) waiting_packets_->add(std::max(eligible, kernel_now()), 1);
    if (queue.packets.size() == 1 && crossing_ == nullptr) wake(std::max(eligible, free_at_));
    return packet;
}

void OutputPort::add(QueuedPacket& packet, ExactTime ready) {
    packet.ready.push_back(ready);
    if (crossing_ == &packet && packet.ready.size() == 1) wake(next_begin().rounded_up());
}

void OutputPort::give_back(std::uint8_t channel, Bytes size, Time at) {
    channels_[channel].credits.give_back(size, at);
    if (Level* free = channels_[channel].free_bytes) free->add(at, static_cast<std::int64_t>(size.count));
    if (waiting_ > 0 && crossing_ == nullptr) wake(std::max(at, free_at_));
}

/// Asks for an activation no later than at `at`.
void OutputPort::wake(Time at) {
    const Time now = kernel_now();
    at = std::max(at, now);
    if (at >= wakes_at_) return;
    wakes_at_ = at;
    wake_.notify(to_sc(at - now));   // SystemC keeps the earliest notification; one of zero is for the next delta
}

/// Decides one delta cycle after the first activation of an instant, when all that arrives at the instant has arrived.
void OutputPort::act() {
    ++activations_;
    const Time now = std::exchange(wakes_at_, Fabric::never);
    if (crossing_ != nullptr) return send_flits();
    if (free_at_ > now) return wake(free_at_);
    if (std::exchange(decides_at_, now) == now) return decide(now);
    wake(now);
}

/// Starts the packet whose turn it is, or asks to be woken when there may be one.
void OutputPort::decide(Time now) {
    const auto channels = static_cast<std::uint32_t>(channels_.size());
    Time next = Fabric::never;
    for (std::uint32_t k = 1; k <= channels; ++k) {
        const auto c = static_cast<std::uint8_t>((last_channel_ + k) % channels);
        const Queue* queue = arbitrate(channels_[c], now);
        const Time at = queue == nullptr ? first_eligible(channels_[c])
                                         : channels_[c].credits.when(queue->packets.front()->next.packet.wire);
        if (queue != nullptr && at <= now) return start(c, *queue->packets.front(), now);
        next = std::min(next, at);
    }
    if (next < Fabric::never) wake(next);
}

/// The queue that has waited longest, of those whose head is eligible; null if there is none.
const OutputPort::Queue* OutputPort::arbitrate(const Channel& channel, Time now) const {
    const Queue* first = nullptr;
    Turn turn;
    for (const auto& [key, queue] : channel.queues) {
        if (queue.packets.empty() || queue.packets.front()->eligible > now) continue;
        const QueuedPacket& head = *queue.packets.front();
        const Turn other = Turn::of(head.eligible, queue.left, head.next.packet.order);
        if (first != nullptr && turn <= other) continue;
        first = &queue;
        turn = other;
    }
    return first;
}

Time OutputPort::first_eligible(const Channel& channel) const {
    Time first = Fabric::never;
    for (const auto& [key, queue] : channel.queues)
        if (!queue.packets.empty()) first = std::min(first, queue.packets.front()->eligible);
    return first;
}

void OutputPort::start(std::uint8_t channel, QueuedPacket& packet, Time now) {
    channels_[channel].queues[packet.queue].packets.pop_front();
    channels_[channel].credits.take(packet.next.packet.wire, now);
    --waiting_;
    if (waiting_packets_ != nullptr) waiting_packets_->add(now, -1);
    if (Level* free = channels_[channel].free_bytes)
        free->add(now, -static_cast<std::int64_t>(packet.next.packet.wire.count));
    last_channel_ = channel;
    crossing_ = &packet;
    begin_ = now;
    last_left_ = ExactTime{now};
    send_flits();
}

/// When the next flit, which has come, begins to leave.
ExactTime OutputPort::next_begin() const {
    return crossing_->queue.forwarded ? std::max(last_left_, crossing_->ready.front()) : last_left_;
}

void OutputPort::send_flits() {
    QueuedPacket& packet = *crossing_;
    for (std::uint32_t i = 0; i < quantum_ && packet.has_next(); ++i) {
        const ExactTime begin = next_begin();
        if (packet.queue.forwarded) packet.ready.pop_front();
        const Bytes wire = packet.next.packet.wire;
        last_left_ = begin + (packet.next.tail ? last_flit(wire, flit_) * byte_ : flit_time_);
        out->put(packet.next, begin, last_left_);
        if (packet.next.tail) return finish();
        packet.next.tail = ++packet.next.number + 1 == packet.flits;
    }
    if (packet.has_next()) wake(next_begin().rounded_up());
}

void OutputPort::finish() {
    QueuedPacket& packet = *std::exchange(crossing_, nullptr);
    free_at_ = last_left_.rounded_up();
    channels_[packet.next.link().channel].queues[packet.queue].left = free_at_;
    if (waiting_ > 0) wake(free_at_);
    departed_(packet, begin_, free_at_);
    free_.push_back(&packet);
}

void OutputPort::restart() {
    last_channel_ = static_cast<std::uint8_t>(channels_.size() - 1);
    for (Channel& channel : channels_)
        for (auto& [key, queue] : channel.queues) queue.left = Turn::never_left;
}

std::optional<CreditWait> OutputPort::blocked_on(std::uint8_t c) const {
    const Channel& channel = channels_[c];
    const Queue* queue = arbitrate(channel, Fabric::never);   // all that waits has become eligible by now
    if (queue == nullptr) return std::nullopt;
    const Flit& head = queue->packets.front()->next;
    return CreditWait{head.packet.tag, head.packet.sequence, head.link(), head.packet.wire,
                      channel.credits.free_at(Fabric::never)};
}

std::optional<std::uint8_t> OutputPort::channel_of(QueueKey key) const {
    for (std::size_t c = 0; c < channels_.size(); ++c)
        if (const auto found = channels_[c].queues.find(key);
            found != channels_[c].queues.end() && !found->second.packets.empty())
            return static_cast<std::uint8_t>(c);
    return std::nullopt;
}

}   // namespace oscar
