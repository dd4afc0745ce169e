// The time that the ranks take to gather the parameters of a bucket from their shards.
#pragma once

#include "models/machine/machine.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// An all-gather of `elements` parameters on `machine`, each rank of a group with an equal shard of raw words, by the
/// schedule of gather_of_step(). A trace has no parameters: the words count, not their values.
/// Precondition: the experiment has a sharded step.
Time run_parameter_gather(const Parameters& parameters, std::uint32_t elements, Machine& machine);

}   // namespace oscar
