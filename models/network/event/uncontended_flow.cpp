#include "models/network/event/uncontended_flow.hpp"

#include <algorithm>

namespace oscar {

UncontendedFlow::UncontendedFlow(const IndexedVector<EdgeId, FabricLink>& links, Bytes flit, std::span<const Hop> path)
    : flit_(flit) {
    for (const Hop& hop : path) {
        const FabricLink& link = links[hop.edge];
        hops_.push_back({.link = &link,
                         .byte = ExactTime::of_byte(link.link.bandwidth),
                         .latency = link.link.propagation + link.egress_latency,
                         .credits = link.link.buffer});
        even_ = even_ && link.link.bandwidth == links[path.front().edge].link.bandwidth;
    }
}

void UncontendedFlow::measure(Bytes wire) {
    measured_ = wire;
    for (HopState& hop : hops_) {
        hop.all = serialization(wire, hop.link->link.bandwidth);
        hop.first = serialization(first_flit(wire, flit_), hop.link->link.bandwidth);
    }
}

/// How many packets as the last one follow it without a gap on any link.
std::uint32_t UncontendedFlow::back_to_back_count(TimeRunReader eligible, std::uint32_t most) {
    const Time each = hops_.front().all;
    if (each == Time{}) return 0;
    for (HopState& hop : hops_)
        if (!never_short(hop, measured_)) return 0;
    std::uint32_t count = 0;
    while (count < most) {
        const TimeRun run = eligible.rest_of_run();
        const std::uint32_t in_time = run.on_time_count(hops_.front().free_at + count * each, each);
        count += in_time;
        if (in_time < run.count) break;
        eligible.skip(in_time);
    }
    return std::min(count, most);
}

/// Whether packets that follow the last one at the link's rate always find credit: by the time at which they have used
/// up what there is now, all that it lacks now is back, and from then on as much comes back as is used.
bool UncontendedFlow::never_short(HopState& hop, Bytes wire) {
    const Time begin = hop.free_at - hop.all, back = hop.returning[hop.returning.size() - 1].at;
    settle(hop, begin);
    return static_cast<std::int64_t>(hop.credits.count / wire.count + 1) * hop.all >= back - begin;
}

void UncontendedFlow::settle(HopState& hop, Time now) {
    for (; !hop.returning.empty() && hop.returning.front().at <= now; hop.returning.pop_front())
        hop.credits += hop.returning.front().size;
}

/// The state of a link after `count` packets more: only credits that are not back by then are kept one by one.
void UncontendedFlow::advance(HopState& hop, std::uint32_t count) {
    const Time back = hop.returning[hop.returning.size() - 1].at;
    hop.free_at += count * hop.all;
    const Time begin = hop.free_at - hop.all;
    settle(hop, begin);
    std::uint32_t settled = 0;
    if (begin > back)
        settled = static_cast<std::uint32_t>(std::min<std::int64_t>(count, (begin - back).ps / hop.all.ps));
    hop.credits += Bytes{settled * measured_.count};
    for (std::uint32_t k = settled + 1; k <= count; ++k) hop.returning.push_back({back + k * hop.all, measured_});
    hop.credits -= Bytes{count * measured_.count};
}

Time UncontendedFlow::latest_return() const {
    Time latest;
    for (const HopState& hop : hops_) latest = std::max(latest, hop.returning[hop.returning.size() - 1].at);
    return latest;
}

}   // namespace oscar
