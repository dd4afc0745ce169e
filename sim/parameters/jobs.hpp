// The jobs of an experiment, and the ranks that exchange messages.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The ranks of a job on each of its islands, where the machine has islands of `island` neighbouring ranks; 1 where it
/// has none. Nothing where they differ, or where the list of ranks comes back to an island. Precondition: a rank.
std::optional<std::uint32_t> ranks_on_islands(const std::vector<Rank>& ranks, std::uint32_t island);

/// Gives each job the name, size and collective that it lacks, and a hierarchical one without `island` the
/// ranks_on_islands() of the topology, where the job has such; otherwise it stays 0.
void fill_in_jobs(Parameters& parameters);

/// The pairs of ranks, each once a job, between which the experiment's jobs, or its one collective, send. Messages to
/// and from switches that add are left out: they take paths of their own. std::invalid_argument: the collective does
/// not fit its ranks. Precondition: fill_in_jobs.
std::vector<std::pair<Rank, Rank>> flows_of(const Parameters& parameters, const Topology& topology);

}   // namespace oscar
