// Collectives of an experiment, and how long each takes at least.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/event/background_load.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// A collective, its ranks and the bytes of each rank's gradient.
struct Task {
    Collective collective;
    std::uint32_t ranks = 0;
    double size = 0;
};

/// The task of each job or, without jobs, the experiment's. Sizes are 0 where a trace decides them.
std::vector<Task> tasks_of(const Parameters& parameters);

/// The least time until the collective has ended, beside background traffic of these loads.
Time duration_of(const Parameters& parameters, const Task& task, const Routes& routes,
                 const std::vector<OfferedLoad>& loads);

}   // namespace oscar
