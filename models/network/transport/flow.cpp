#include "models/network/transport/flow.hpp"

#include <algorithm>

namespace oscar {

void FlowMessages::add(const FabricMessage& message, std::span<const TimeRun> eligible) {
    entries_.push_back({end_, message});
    entries_.back().eligible.assign(eligible);
    end_ += message.packets;
}

FlowMessages::Packet FlowMessages::at(std::uint64_t number) const {
    const Entry& entry = *std::prev(std::ranges::upper_bound(entries_, number, {}, &Entry::first));
    const auto sequence = static_cast<std::uint32_t>(number - entry.first);
    return {entry.message.tag, sequence, entry.message.wire_of(sequence), entry.eligible[sequence]};
}

void FlowMessages::forget_below(std::uint64_t number) {
    while (!entries_.empty() && entries_.front().first + entries_.front().message.packets <= number)
        entries_.pop_front();
}

}   // namespace oscar
