// Checks of `experiment`, `size`, `trace`, `collective.flows`, `step`, `tuner`, `waveform` and `timeline_window`: what
// a run consists of.
#pragma once

#include "sim/config/folder_name.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// ConfigError: a name that no folder can have.
inline void check_experiment_name(const Experiment& experiment) {
    require_folder_name(experiment.source.child("experiment"), experiment.parameters.experiment);
}

/// ConfigError: listed transfers with a trace, between ranks that do not exist, or of sizes that are no fp32 values.
void check_flows(const Experiment& experiment);

/// ConfigError: without values, a key that only a trace gives a meaning.
void check_keys_of_a_trace(const Experiment& experiment);

/// ConfigError: a size beside a trace or beside listed transfers, none without either, or no whole number of values.
void check_size(const Experiment& experiment);

/// ConfigError: values are wanted and no trace is named.
void check_trace_is_named(const Experiment& experiment);

/// ConfigError: one bucket with a step.
void check_bucket_of_step(const Experiment& experiment);

/// ConfigError: buckets of a step beside a trace; no whole fp32 values; a backward pass that ends before one is ready;
/// a run that is none of one collective on all ranks.
void check_given_buckets(const Experiment& experiment);

/// ConfigError: random starts with a step.
void check_starts_of_step(const Experiment& experiment);

/// ConfigError: a sharded step whose collective has no reduce-scatter.
void check_collective_of_step(const Experiment& experiment);

/// ConfigError: groups of a sharded step that do not divide the ranks, that nothing names, or that two keys name;
/// groups in another step.
void check_group_of_step(const Experiment& experiment);

/// ConfigError: a reduce-scatter or all-gather whose groups or islands do not fit, or that has islands and no use for
/// them.
void check_shards(const Experiment& experiment);

/// ConfigError: a sharded step that is told not to overlap.
void check_overlap_of_step(const Experiment& experiment);

/// ConfigError: the trace says of no layer when it is ready, and the step needs that.
void check_ready_times(const Experiment& experiment, const TraceManifest& manifest);

/// ConfigError: a payload with values, a collective beside the tuner, ranks or a size that it cannot choose for.
void check_tuner(const Experiment& experiment);

/// ConfigError: a topology without the hops of the tuner.
void check_tuner_topology(const Experiment& experiment);

/// ConfigError: a network whose modules have no signals, or a window that ends before it begins.
void check_waveform(const Experiment& experiment);
void check_timeline_window(const Experiment& experiment);

}   // namespace oscar
