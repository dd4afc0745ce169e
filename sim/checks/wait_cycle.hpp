// The error message of a cycle of waits, with its remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/network/topology/routing.hpp"

namespace oscar {

/// Names the links of a circle of waits (models/network/topology/deadlock.hpp) and says how to write it right; nothing
/// if there is none.
std::optional<std::string> find_deadlock_problem(const Topology& topology, const RoutingParams& routing,
                                                 std::uint32_t virtual_channels);

}   // namespace oscar
