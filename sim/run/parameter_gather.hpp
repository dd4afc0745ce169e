// The time that the ranks take to gather the parameters of a bucket from their shards.
#pragma once

#include "models/machine/machine.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// A ring all-gather of `elements` parameters on `machine`, each rank with an equal shard of raw words, issued and
/// sliced as the experiment's collective. A trace has no parameters: the words count, not their values.
/// Precondition: the experiment has a step.
Time run_parameter_gather(const Parameters& parameters, std::uint32_t elements, Machine& machine);

}   // namespace oscar
