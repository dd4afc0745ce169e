// Ranks by numbers and ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/index.hpp"
#include "sim/config/node.hpp"

namespace oscar {

/// Those of "5" and "4-7", in the order of writing. Precondition: check_ranks.
std::vector<Rank> ranks_in(const std::vector<std::string>& texts);

/// Marks the ranks of the list at `node` as spoken of, of as many as there are. ConfigError: none, no rank or range,
/// one that does not exist or was spoken of before.
void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of);

}   // namespace oscar
