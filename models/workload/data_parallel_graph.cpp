#include "models/workload/data_parallel_graph.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace oscar {
namespace {

/// The buckets in the order in which the backward pass completes them.
std::vector<std::size_t> by_readiness(const std::vector<Time>& ready) {
    std::vector<std::size_t> order(ready.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t b) { return ready[b]; });
    return order;
}

}   // namespace

DataParallelGraph data_parallel_graph(const StepCompute& compute) {
    DataParallelGraph step;
    Graph& graph = step.graph;
    const StreamId passes = graph.add_stream("computation"), buckets = graph.add_stream("communication");
    graph.add({"forward pass", passes, Compute{compute.forward}});
    step.ready.resize(compute.ready.size());
    Time computed = compute.forward;
    for (const std::size_t b : by_readiness(compute.ready)) {
        const std::string name = "backward pass up to bucket " + std::to_string(b);
        step.ready[b] = graph.add({name, passes, Compute{compute.ready[b] - computed}});
        computed = compute.ready[b];
    }
    graph.add({"rest of the backward pass", passes, Compute{compute.forward + compute.backward - computed}});
    for (std::uint32_t b = 0; b < compute.ready.size(); ++b)
        step.buckets.push_back(graph.add(
            {"AllReduce of bucket " + std::to_string(b), buckets, Communicate{ExchangeId{b}}, {step.ready[b]}}));
    step.optimiser = graph.add({"optimiser", passes, Compute{compute.optimiser}});
    if (!step.buckets.empty()) graph.tasks[step.optimiser].after = {step.buckets.back()};
    return step;
}

}   // namespace oscar
