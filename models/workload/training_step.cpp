#include "models/workload/training_step.hpp"

#include <algorithm>
#include <cmath>

#include "models/workload/data_parallel_graph.hpp"

namespace oscar {

Time scaled(Time time, Time from, Time to) {
    if (from == to || from == Time{}) return time;
    return {std::llround(static_cast<double>(to.ps) * (static_cast<double>(time.ps) / static_cast<double>(from.ps)))};
}

StepCompute make_compute(const StepParams& params, std::span<const Time> captured_ready, Time captured_backward) {
    const Time backward = params.backward.value_or(captured_backward);
    StepCompute compute{params.forward.value_or(Time{backward.ps / 2}), backward, params.optimiser, {}};
    for (const Time ready : captured_ready)
        compute.ready.push_back(compute.forward +
                                (params.overlap ? scaled(ready, captured_backward, backward) : backward));
    return compute;
}

StepParams slowed(StepParams params, Time captured_backward, double factor) {
    const auto slow = [&](Time time) { return Time{std::llround(static_cast<double>(time.ps) * factor)}; };
    params.backward = slow(params.backward.value_or(captured_backward));
    if (params.forward) params.forward = slow(*params.forward);
    params.optimiser = slow(params.optimiser);
    return params;
}

StepTimeline make_timeline(const StepCompute& compute, std::span<const Time> allreduce) {
    const DataParallelGraph step = data_parallel_graph(compute);
    const auto times = run_graph(step.graph, std::vector(allreduce.begin(), allreduce.end()));
    StepTimeline timeline;
    for (std::size_t b = 0; b < allreduce.size(); ++b) {
        const Span sent = times[step.buckets[b]];
        timeline.buckets.push_back({times[step.ready[b]].end, sent.begin, sent.end});
        timeline.communication += allreduce[b];
    }
    timeline.compute = compute.total();
    timeline.step = times[step.optimiser].end;
    return timeline;
}

}   // namespace oscar
