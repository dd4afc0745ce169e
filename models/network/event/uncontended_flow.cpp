#include "models/network/event/uncontended_flow.hpp"

#include <algorithm>

namespace oscar {

UncontendedFlow::UncontendedFlow(const IndexedVector<EdgeId, FabricLink>& links, Bytes flit, std::span<const Hop> path)
    : flit_(flit) {
    for (const Hop& hop : path) {
        const FabricLink& link = links[hop.edge];
        lanes_.push_back({.link = &link,
                          .byte = ExactTime::of_byte(link.link.bandwidth),
                          .way = link.link.propagation + link.egress_latency,
                          .credits = link.link.buffer});
        even_ = even_ && link.link.bandwidth == links[path.front().edge].link.bandwidth;
    }
}

void UncontendedFlow::measure(Bytes wire) {
    measured_ = wire;
    for (Lane& lane : lanes_) {
        lane.all = serialization(wire, lane.link->link.bandwidth);
        lane.first = serialization(first_flit(wire, flit_), lane.link->link.bandwidth);
    }
}

/// How many packets as the last one follow it without a gap on any link.
std::uint32_t UncontendedFlow::that_follow(TimeRunReader eligible, std::uint32_t most) {
    const Time each = lanes_.front().all;
    if (each == Time{}) return 0;
    for (Lane& lane : lanes_)
        if (!never_short(lane, measured_)) return 0;
    std::uint32_t count = 0;
    while (count < most) {
        const TimeRun run = eligible.rest_of_run();
        const std::uint32_t in_time = run.that_keep_up_with(lanes_.front().free_at + count * each, each);
        count += in_time;
        if (in_time < run.count) break;
        eligible.skip(in_time);
    }
    return std::min(count, most);
}

/// Whether packets that follow the last one at the link's rate always find credit: by the time at which they have used
/// up what there is now, all that it lacks now is back, and from then on as much comes back as is used.
bool UncontendedFlow::never_short(Lane& lane, Bytes wire) {
    const Time begin = lane.free_at - lane.all, back = lane.returning[lane.returning.size() - 1].at;
    settle(lane, begin);
    return static_cast<std::int64_t>(lane.credits.count / wire.count + 1) * lane.all >= back - begin;
}

void UncontendedFlow::settle(Lane& lane, Time now) {
    for (; !lane.returning.empty() && lane.returning.front().at <= now; lane.returning.pop_front())
        lane.credits += lane.returning.front().size;
}

/// The state of a link after `count` packets more: only credits that are not back by then are kept one by one.
void UncontendedFlow::advance(Lane& lane, std::uint32_t count) {
    const Time back = lane.returning[lane.returning.size() - 1].at;
    lane.free_at += count * lane.all;
    const Time begin = lane.free_at - lane.all;
    settle(lane, begin);
    std::uint32_t settled = 0;
    if (begin > back)
        settled = static_cast<std::uint32_t>(std::min<std::int64_t>(count, (begin - back).ps / lane.all.ps));
    lane.credits += Bytes{settled * measured_.count};
    for (std::uint32_t k = settled + 1; k <= count; ++k) lane.returning.push_back({back + k * lane.all, measured_});
    lane.credits -= Bytes{count * measured_.count};
}

Time UncontendedFlow::latest_return() const {
    Time latest;
    for (const Lane& lane : lanes_) latest = std::max(latest, lane.returning[lane.returning.size() - 1].at);
    return latest;
}

}   // namespace oscar
