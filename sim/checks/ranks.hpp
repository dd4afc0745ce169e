// Lists of ranks in a configuration, checked.
#pragma once

#include <string>
#include <vector>

#include "models/core/rank_ranges.hpp"
#include "sim/config/node.hpp"

namespace oscar {

/// Marks in `spoken_of`, which has an entry for each rank, the ranks that the list `texts` at `node` names.
/// ConfigError: an empty list, a text that is no rank or range, a rank that does not exist or was marked before.
void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of);

}   // namespace oscar
