// Sharded steps: the reduce-scatter that one takes, and the ranks that share its parameters.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// True if the experiment has a step whose parameters are sharded.
bool is_sharded(const Parameters& parameters);

/// The neighbouring ranks that share the parameters of a sharded step; 0: all ranks, or, with hsdp, as many as no key
/// says.
std::uint32_t sharing_ranks(const Parameters& parameters);

/// The path of the key that says how many ranks share a bucket, or the parameters of a step; where none does, of the
/// one that could.
std::string_view key_of_group(const Parameters& parameters);

/// Gives a sharded step the reduce-scatter that its collective is, or is the first half of (reduce_scatter_of()), in
/// its groups, and names shape and islands of a reduce-scatter or all-gather. std::invalid_argument: groups or islands
/// do not fit; what() is a sentence. Precondition: check_collective_of_step and check_group_of_step.
void place_shards(Parameters& parameters);

/// The collective that gathers the parameters of a sharded step: the reduce-scatter's way back. Precondition:
/// place_shards.
Collective gather_of_step(const Parameters& parameters);

}   // namespace oscar
