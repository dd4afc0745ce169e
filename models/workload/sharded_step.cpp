#include "models/workload/sharded_step.hpp"

#include <algorithm>
#include <optional>

namespace oscar {
namespace {

using Purpose = Time StepTraffic::*;

struct Interval {
    Time begin, end;
};

Time overlap(const Interval& a, const Interval& b) {
    return std::max(std::min(a.end, b.end) - std::max(a.begin, b.begin), Time{});
}

/// A unit's forward or backward pass, and the collectives that belong to it.
struct Pass {
    Time compute;
    std::optional<Time> gather, reduce_scatter;
};

/// Computation and communication, each one thing after the other.
class Streams {
public:
    /// Computes once `ready`; before that, the computation waits.
    Time compute(Time ready, Time takes) {
        if (ready > computed_) waits_.push_back({computed_, ready});
        return computed_ = std::max(computed_, ready) + takes;
    }
    Interval send(Purpose purpose, Time takes) {
        const Time begin = std::max(computed_, sent_);
        sent_ = begin + takes;
        transfers_.push_back({purpose, {begin, sent_}});
        return transfers_.back().interval;
    }
    Time computed() const { return computed_; }
    Time sent() const { return sent_; }

    StepTraffic communication() const {
        StepTraffic sum;
        for (const Transfer& t : transfers_) sum.*t.purpose += t.interval.end - t.interval.begin;
        return sum;
    }
    /// While the computation waits, something is always being sent: what it waits for, or what was issued before.
    StepTraffic exposed() const {
        StepTraffic sum;
        for (const Transfer& t : transfers_)
            for (const Interval& wait : waits_) sum.*t.purpose += overlap(t.interval, wait);
        return sum;
    }

private:
    struct Transfer {
        Purpose purpose;
        Interval interval;
    };
    Time computed_, sent_;
    std::vector<Interval> waits_;
    std::vector<Transfer> transfers_;
};

/// All passes of one direction after `lead`, in the order of computing. Returns the reduce-scatters, ready when their
/// pass ends.
std::vector<BucketTimes> run_passes(Streams& streams, const std::vector<Pass>& passes, Time lead, std::size_t prefetch,
                                    Purpose purpose) {
    std::vector<BucketTimes> reduced;
    std::vector<Time> gathered(passes.size());
    std::size_t next = 0;
    const auto gather_before = [&](std::size_t end) {
        for (; next < std::min(end, passes.size()); ++next)
            if (const auto takes = passes[next].gather) gathered[next] = streams.send(purpose, *takes).end;
    };
    gather_before(prefetch);
    streams.compute({}, lead);
    for (std::size_t p = 0; p < passes.size(); ++p) {
        gather_before(p + prefetch + 1);
        const Time end = streams.compute(gathered[p], passes[p].compute);
        if (!passes[p].reduce_scatter) continue;
        const Interval sent = streams.send(&StepTraffic::reduce_scatter, *passes[p].reduce_scatter);
        reduced.push_back({end, sent.begin, sent.end});
    }
    return reduced;
}

}   // namespace

std::vector<UnitPasses> passes_of(const StepCompute& compute) {
    std::vector<UnitPasses> units;
    Time before, forward_before;   // ends of the unit before, from the beginning of a pass in the order of the buckets
    for (const Time ready : compute.ready) {
        const Time end = std::max(before, ready - compute.forward);
        const Time forward_end = scaled(end, compute.backward, compute.forward);
        units.push_back({forward_end - forward_before, end - before});
        before = end;
        forward_before = forward_end;
    }
    return units;
}

ShardedTimeline make_sharded_timeline(const StepCompute& compute, std::span<const UnitTraffic> traffic,
                                      const StepParams& params) {
    const std::vector<UnitPasses> units = passes_of(compute);
    std::vector<Pass> forward, backward;
    Time lead = compute.forward, tail = compute.backward;
    for (std::size_t u = 0; u < units.size(); ++u) {
        const auto again = params.reshard && u > 0 ? std::optional(traffic[u].gather) : std::nullopt;
        forward.push_back({units[u].forward, traffic[u].gather, std::nullopt});
        backward.push_back({units[u].backward, again, traffic[u].reduce_scatter});
        lead = lead - units[u].forward;
        tail = tail - units[u].backward;
    }
    std::ranges::reverse(forward);

    Streams streams;
    run_passes(streams, forward, lead, params.prefetch, &StepTraffic::gather_forward);
    ShardedTimeline timeline;
    timeline.step.buckets = run_passes(streams, backward, {}, params.prefetch, &StepTraffic::gather_backward);
    streams.compute({}, tail);
    streams.compute(streams.sent(), compute.optimiser);
    timeline.communication = streams.communication();
    timeline.exposed = streams.exposed();
    timeline.step.compute = compute.total();
    timeline.step.communication = timeline.communication.total();
    timeline.step.step = streams.computed();
    return timeline;
}

}   // namespace oscar
