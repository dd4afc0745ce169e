#include "sim/checks/step.hpp"

#include <algorithm>

namespace oscar {
namespace {

bool is_sharded(const Parameters& p) { return p.step && p.step->strategy == StepStrategy::fsdp; }

}   // namespace

void check_bucket_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.step && p.bucket)
        experiment.source.child("bucket").fail(
            "one bucket is no training step, which replays all of them; leave out bucket or step");
}

void check_starts_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.step && p.start_jitter != Time{})
        experiment.source.child("start_jitter")
            .fail("all ranks compute in step where there is a step; leave out start_jitter or step");
}

void check_collective_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (is_sharded(p) && !std::holds_alternative<ReduceScatterParams>(p.collective.params))
        experiment.source.child("collective")
            .fail(
                "strategy fsdp reduce-scatters gradients, and gathers parameters itself; write collective: {kind: "
                "reduce_scatter}");
}

void check_overlap_of_step(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (is_sharded(p) && !p.step->overlap)
        experiment.source.child("step").child("overlap").fail(
            "strategy fsdp overlaps as its prefetch lets it; leave it out, and write prefetch: 0 for no overlap");
}

/// Without ready times a backward pass can be had if it is given, and overlapped if it takes no time.
void check_ready_times(const Experiment& experiment, const TraceManifest& manifest) {
    if (!experiment.parameters.step) return;
    const StepParams& step = *experiment.parameters.step;
    const auto is_told = [](const TraceLayer& layer) { return layer.ready != Time{}; };
    if (std::ranges::any_of(manifest.layers, is_told)) return;
    if (!step.backward)
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready; say how long the backward pass takes, like {backward: "
            "5ms, overlap: false}");
    if (step.overlap && *step.backward != Time{})
        experiment.source.child("step").fail(
            "the trace does not say when its layers are ready, so nothing can overlap; give each layer of its "
            "trace.yaml a ready:, or set overlap: false with strategy: ddp");
}

}   // namespace oscar
