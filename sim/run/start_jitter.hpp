// Start times of ranks.
#pragma once

#include <vector>

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Per rank, a start within the jitter in the iteration at `position`, and as late as its node is, by a generator whose
/// output the standard fixes; empty where all start at once.
std::vector<Time> starts_of(const Parameters& parameters, std::uint32_t position);

}   // namespace oscar
