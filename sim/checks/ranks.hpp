// Lists of ranks in a configuration, checked.
#pragma once

#include <string>
#include <vector>

#include "models/core/rank_ranges.hpp"
#include "sim/config/node.hpp"

namespace oscar::inline checks {

/// Marks the ranks of the list at `node` as spoken of, of as many as there are. ConfigError: none, no rank or range,
/// one that does not exist or was spoken of before.
void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of);

}   // namespace oscar::inline checks
