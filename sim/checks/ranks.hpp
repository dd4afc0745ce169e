// Checks of lists of ranks, of `nodes` and of `jobs`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/core/rank_ranges.hpp"
#include "sim/config/node.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Marks in `spoken_of`, which has an entry for each rank, the ranks that the list `texts` at `node` names.
/// ConfigError: an empty list, a text that is no rank or range, a rank that does not exist, or one that was marked
/// before, for which `remedy` says what to do.
void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of,
                 std::string_view remedy);

/// ConfigError: an entry without ranks, a rank that does not exist or is in two entries, an engine that makes other
/// bytes, a late start with a step, a slowdown without.
void check_nodes(const Experiment& experiment);

/// ConfigError: beside jobs, values, a tuner, starts or scales of ranks, or codes in GPU memory.
void check_surroundings_of_jobs(const Experiment& experiment);

/// ConfigError: a job of fewer than two ranks, a rank that does not exist or is in two jobs, a collective that does not
/// fit, islands of the topology with different numbers of ranks of a hierarchical job, two jobs of one name.
void check_jobs(const Experiment& experiment);

}   // namespace oscar
