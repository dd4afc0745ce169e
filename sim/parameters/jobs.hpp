// The jobs of an experiment, and the ranks that exchange messages.
#pragma once

#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/topology.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Gives each job the name, size and collective that it lacks.
void fill_in_jobs(Parameters& parameters);

/// The pairs of ranks, each once a job, between which the experiment's jobs, or its one collective, send. Messages to
/// and from switches that add are left out: they take paths of their own. std::invalid_argument: the collective does
/// not fit its ranks. Precondition: fill_in_jobs.
std::vector<std::pair<Rank, Rank>> flows_of(const Parameters& parameters, const Topology& topology);

}   // namespace oscar
