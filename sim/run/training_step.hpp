// A training step: its computation, from the experiment and its layers, and the collectives within it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/machine/machine.hpp"
#include "models/workload/sharded_step.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The training step of an experiment on its machine.
struct StepSetting {
    StepParams params;
    StepCompute compute;
    std::vector<Time> gathers;   ///< per bucket, of its parameters; none unless they are sharded
};

/// `buckets`: layers of each, as positions in the manifest. A bucket is ready with its last layer; the captured
/// backward pass ends with the last layer of the trace, whichever layers are replayed.
/// Precondition: the experiment has a step, and check_ready_times (sim/checks/experiment.hpp).
inline StepCompute compute_of(const Parameters& p, const TraceManifest& manifest,
                              const std::vector<std::vector<std::size_t>>& buckets) {
    const Time backward = std::ranges::max_element(manifest.layers, {}, &TraceLayer::ready)->ready;
    std::vector<Time> ready;
    for (const auto& layers : buckets) {
        Time last;
        for (const std::size_t l : layers) last = std::max(last, manifest.layers[l].ready);
        ready.push_back(last);
    }
    const StepParams step = slowed(*p.step, backward, slowdown_of(p));
    return make_compute(step, ready, backward);
}

/// The step around the collectives of buckets of so many values; none where the experiment has no step. A bucket has
/// the same number of parameters as of gradient values, and gathering them takes the same time in every iteration.
std::optional<StepSetting> step_setting(const Parameters& p, const std::optional<StepCompute>& compute,
                                        std::span<const std::uint64_t> elements, Machine& machine);

/// The times of one step whose buckets take so long.
StepTimeline timeline_of(const StepSetting& step, std::span<const Time> allreduce);
ShardedTimeline sharded_timeline_of(const StepSetting& step, std::span<const Time> reduce_scatter);

}   // namespace oscar
