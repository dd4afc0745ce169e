#include "models/workload/sharded_step.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "models/workload/graph.hpp"

namespace oscar {
namespace {

/// A unit's forward or backward pass, and the collectives that belong to it.
struct Pass {
    Time compute;
    std::optional<Time> gather, reduce_scatter;
};

/// Collectives by what they are for.
struct Collectives {
    std::vector<TaskId> gather_forward, gather_backward, reduce_scatter;
};

/// The graph of a step, in the order in which its collectives are issued.
class ShardedGraph {
public:
    using Purpose = std::vector<TaskId> Collectives::*;

    /// The next part of the computation, which waits for `after`.
    TaskId compute(const std::string& name, Time takes, std::vector<TaskId> after = {}) {
        computed_ = graph_.add({name, passes_, Compute{takes}, std::move(after)});
        return *computed_;
    }
    /// The next collective, which is issued when the computation so far is done.
    TaskId send(Purpose purpose, const std::string& name, Time takes) {
        const Communicate exchange{exchanges_.next()};
        exchanges_.push_back(takes);
        const std::vector<TaskId> after = computed_ ? std::vector{*computed_} : std::vector<TaskId>{};
        sent_ = graph_.add({name, communication_, exchange, after});
        (collectives_.*purpose).push_back(*sent_);
        return *sent_;
    }
    /// All that has been sent.
    std::vector<TaskId> sent() const { return sent_ ? std::vector{*sent_} : std::vector<TaskId>{}; }

    IndexedVector<TaskId, Span> run() const { return run_graph(graph_, exchanges_); }
    std::vector<Span> waits(const IndexedVector<TaskId, Span>& times) const {
        return idle_spans(graph_, times, passes_);
    }
    const Collectives& collectives() const { return collectives_; }

private:
    Graph graph_;
    StreamId passes_ = graph_.add_stream("computation"), communication_ = graph_.add_stream("communication");
    IndexedVector<ExchangeId, Time> exchanges_;
    Collectives collectives_;
    std::optional<TaskId> computed_, sent_;   ///< the last of their stream
};

/// The backward pass of a unit, and its reduce-scatter.
struct Reduced {
    TaskId pass, sent;
};

/// All passes of one direction after `lead`, in the order of computing.
std::vector<Reduced> add_passes(ShardedGraph& graph, const std::vector<Pass>& passes, Time lead, std::size_t prefetch,
                                ShardedGraph::Purpose purpose) {
    std::vector<Reduced> reduced;
    std::vector<std::vector<TaskId>> gathered(passes.size());
    std::size_t next = 0;
    const auto gather_before = [&](std::size_t end) {
        for (; next < std::min(end, passes.size()); ++next)
            if (const auto takes = passes[next].gather) gathered[next] = {graph.send(purpose, "all-gather", *takes)};
    };
    gather_before(prefetch);
    graph.compute("layers in no unit", lead);
    for (std::size_t p = 0; p < passes.size(); ++p) {
        gather_before(p + prefetch + 1);
        const TaskId pass = graph.compute("pass of a unit", passes[p].compute, gathered[p]);
        if (const auto takes = passes[p].reduce_scatter)
            reduced.push_back({pass, graph.send(&Collectives::reduce_scatter, "reduce-scatter", *takes)});
    }
    return reduced;
}

/// The sum of a time of each collective, by what they are for.
template <class TimeOf>
StepTraffic sum_of(const Collectives& collectives, TimeOf&& time_of) {
    const auto sum = [&](const std::vector<TaskId>& tasks) {
        Time total;
        for (const TaskId task : tasks) total += time_of(task);
        return total;
    };
    return {sum(collectives.gather_forward), sum(collectives.gather_backward), sum(collectives.reduce_scatter)};
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

    ShardedGraph graph;
    add_passes(graph, forward, lead, params.prefetch, &Collectives::gather_forward);
    const std::vector<Reduced> reduced =
        add_passes(graph, backward, {}, params.prefetch, &Collectives::gather_backward);
    graph.compute("rest of the backward pass", tail);
    const TaskId optimiser = graph.compute("optimiser", compute.optimiser, graph.sent());

    const auto times = graph.run();
    const std::vector<Span> waits = graph.waits(times);
    ShardedTimeline timeline;
    timeline.communication =
        sum_of(graph.collectives(), [&](TaskId task) { return times[task].end - times[task].begin; });
    // While the computation waits, something is always being sent: what it waits for, or what was issued before.
    timeline.exposed = sum_of(graph.collectives(), [&](TaskId task) {
        Time exposed;
        for (const Span& wait : waits) exposed += common_time(times[task], wait);
        return exposed;
    });
    for (const Reduced& unit : reduced)
        timeline.step.buckets.push_back({times[unit.pass].end, times[unit.sent].begin, times[unit.sent].end});
    timeline.step.compute = compute.total();
    timeline.step.communication = timeline.communication.total();
    timeline.step.step = times[optimiser].end;
    return timeline;
}

}   // namespace oscar
