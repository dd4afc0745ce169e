#include "models/network/transport/send_queues.hpp"

namespace oscar {

std::uint32_t SendQueues::add_own(std::uint32_t flow) {
    queues_.push_back({true, {{flow, 1}}});
    return static_cast<std::uint32_t>(queues_.size() - 1);
}

std::uint32_t SendQueues::shared(const Hop& first, std::uint32_t key) {
    const auto next = static_cast<std::uint32_t>(queues_.size());
    const auto [found, added] = shared_.try_emplace({first.edge, first.channel, key}, next);
    if (added) queues_.emplace_back();
    return found->second;
}

void SendQueues::offer(std::uint32_t queue, std::uint32_t flow, std::uint64_t packets) {
    if (!queues_[queue].own) queues_[queue].due.push_back({flow, packets});
}

std::optional<std::uint32_t> SendQueues::next(std::uint32_t queue) const {
    const Queue& waiting = queues_[queue];
    if (waiting.handed_over || waiting.due.empty()) return std::nullopt;
    return waiting.due.front().flow;
}

void SendQueues::hand_over(std::uint32_t number) {
    Queue& queue = queues_[number];
    queue.handed_over = true;
    if (!queue.own && --queue.due.front().packets == 0) queue.due.pop_front();
}

}   // namespace oscar
