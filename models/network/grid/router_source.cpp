#include "models/network/grid/router_source.hpp"

#include <utility>

namespace oscar {

void RouterSource::send(std::uint32_t queue, const Message& message) {
    queues_[queue].messages.push_back(message);
    ++waiting_;
}

std::optional<Time> RouterSource::first_eligible() const {
    std::optional<Time> first;
    if (waiting_ == 0) return first;
    for (const auto& [key, queue] : queues_) {
        if (queue.messages.empty()) continue;
        const Time at = std::max(head_eligible(queue), queue.messages.front().from);
        first = first ? std::min(*first, at) : at;
    }
    return first;
}

/// The queue that has waited longest, of those whose head may leave.
std::optional<RouterPacket> RouterSource::next(Time now) {
    if (waiting_ == 0) return std::nullopt;
    Queue* elected = nullptr;
    std::optional<Turn> first;
    for (auto& [key, queue] : queues_) {
        if (queue.messages.empty() || queue.messages.front().from > now) continue;
        const Time eligible = head_eligible(queue);
        if (eligible > now) continue;
        const Turn turn = Turn::of(eligible, queue.left, queue.messages.front().order);
        if (first && *first <= turn) continue;
        first = turn;
        elected = &queue;
    }
    if (elected == nullptr) return std::nullopt;
    leaving_ = elected;
    Message& message = elected->messages.front();
    const RouterPacket packet{message.transfer, message.next};
    if (++message.next < message.packets) return packet;
    elected->messages.pop_front();
    --waiting_;
    return packet;
}

void RouterSource::left(Time at) {
    if (leaving_ != nullptr) std::exchange(leaving_, nullptr)->left = at;
}

void RouterSource::restart() {
    leaving_ = nullptr;
    for (auto& [key, queue] : queues_) queue.left = Turn::never_left;
}

}   // namespace oscar
