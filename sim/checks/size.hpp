// Checks of `size`, `trace` and `collective.flows`: where the size of a gradient comes from.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// ConfigError: listed transfers with a trace, between ranks that do not exist, or of sizes that are no fp32 values.
void check_flows(const Experiment& experiment);

/// ConfigError: without values, a key that only a trace gives a meaning.
void check_keys_of_a_trace(const Experiment& experiment);

/// ConfigError: a size beside a trace or beside listed transfers, none without either, or no whole number of values.
void check_size(const Experiment& experiment);

/// ConfigError: values are wanted and no trace is named.
void check_trace_is_named(const Experiment& experiment);

}   // namespace oscar
