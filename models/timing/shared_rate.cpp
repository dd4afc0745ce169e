#include "models/timing/shared_rate.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace oscar {
namespace {

constexpr Time beginning{std::numeric_limits<std::int64_t>::min()};
/// A byte in units of Mbit/s times picoseconds.
constexpr std::uint64_t units_of_byte = 8'000'000;

}   // namespace

void SharedRate::clear() {
    busy_ = {};
    free_ = {{beginning, whole_.mbps}};
}

Time SharedRate::carry(Time begin, Bytes size, Bandwidth most) {
    busy_ += serialization(size, whole_);
    std::uint64_t left = size.count * units_of_byte;
    Time now = begin;
    for (auto at = std::prev(free_.upper_bound(begin)); left > 0;) {
        const std::uint64_t rate = std::min(most.mbps, at->second);
        const auto next = std::next(at);
        if (next == free_.end()) {   // all of the rate is free
            now = {now.ps + static_cast<std::int64_t>((left + rate - 1) / rate)};
            break;
        }
        const auto span = static_cast<std::uint64_t>((next->first - now).ps);
        if (rate > 0 && (left + rate - 1) / rate <= span) {
            now = {now.ps + static_cast<std::int64_t>((left + rate - 1) / rate)};
            break;
        }
        left -= rate * span;
        now = next->first;
        at = next;
    }
    take(begin, now, most);
    return now;
}

/// Between them every span has what `most` leaves.
void SharedRate::take(Time begin, Time end, Bandwidth most) {
    if (end <= begin) return;
    split(begin);
    split(end);
    const auto first = free_.find(begin), last = free_.find(end);
    for (auto at = first; at != last; ++at) at->second -= std::min(most.mbps, at->second);
    const auto after = std::next(last);
    for (auto at = first; at != after;)   // equal neighbours are one
        at = std::prev(at)->second == at->second ? free_.erase(at) : std::next(at);
}

void SharedRate::split(Time at) {
    const auto before = std::prev(free_.upper_bound(at));
    if (before->first < at) free_.emplace_hint(std::next(before), at, before->second);
}

}   // namespace oscar
