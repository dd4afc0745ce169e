// Partial sums that both ends of a step already hold, from which a final sum can be sent as a difference.
#pragma once

#include <optional>
#include <vector>

#include "models/collective/schedule/contributions.hpp"

namespace oscar {

/// Per step that carries the sum of all ranks, the last step before it in which the same two ranks, in either
/// direction, exchanged a sum of fewer ranks of the same chunk. Both hold that sum, so its difference to the final one
/// says as much, and is a sum of the other ranks only. Precondition: `all` are the contributions of the schedule.
std::vector<std::optional<StepId>> known_parts(const Schedule& schedule, const std::vector<Contributions>& all);

}   // namespace oscar
