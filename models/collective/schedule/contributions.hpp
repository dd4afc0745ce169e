// Number of ranks whose values each message of a schedule sums.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The number of ranks whose contributions a step carries, and whose its receiver holds of that chunk afterwards.
struct Contributions {
    std::uint32_t carried = 1, held = 1;
};

/// Per step. Precondition: the schedule runs in its order.
std::vector<Contributions> contributions(const Schedule& schedule);

}   // namespace oscar
