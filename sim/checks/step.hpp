// Checks of `step`: what the timeline of a training step has no place for.
#pragma once

#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// ConfigError: one bucket with a step.
void check_bucket_of_step(const Experiment& experiment);

/// ConfigError: random starts with a step.
void check_starts_of_step(const Experiment& experiment);

/// ConfigError: a sharded step without a reduce-scatter.
void check_collective_of_step(const Experiment& experiment);

/// ConfigError: a sharded step that is told not to overlap.
void check_overlap_of_step(const Experiment& experiment);

/// ConfigError: the trace says of no layer when it is ready, and the step needs that.
void check_ready_times(const Experiment& experiment, const TraceManifest& manifest);

}   // namespace oscar
