#include "sim/experiment/training_step.hpp"

#include <algorithm>

#include "sim/experiment/nodes.hpp"

namespace oscar {
namespace {

/// Without ready times a backward pass can be had if it is given, and overlapped if it takes no time.
void check_ready_times(const Experiment& experiment) {
    const StepParams& step = *experiment.parameters.step;
    if (!step.backward)
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready; say how long the backward pass takes, like {backward: "
            "5ms, overlap: false}");
    if (step.overlap && *step.backward != Time{})
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready, so nothing can overlap; give each layer of its "
            "trace.yaml a ready:, or set overlap: false with strategy: ddp");
}

}   // namespace

StepCompute compute_of(const Experiment& experiment, const TraceManifest& manifest,
                       const std::vector<std::vector<std::size_t>>& buckets) {
    const Time backward = std::ranges::max_element(manifest.layers, {}, &TraceLayer::ready)->ready;
    if (backward == Time{}) check_ready_times(experiment);
    std::vector<Time> ready;
    for (const auto& layers : buckets) {
        Time last;
        for (const std::size_t l : layers) last = std::max(last, manifest.layers[l].ready);
        ready.push_back(last);
    }
    const StepParams step = slowed(*experiment.parameters.step, backward, slowdown_of(experiment.parameters));
    return make_compute(step, ready, backward);
}

}   // namespace oscar
