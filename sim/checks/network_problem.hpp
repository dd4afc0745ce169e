// Problems of a network in the words of a configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/network/params/network_params.hpp"
#include "models/network/params/network_problem.hpp"
#include "models/network/topology/routing.hpp"

namespace oscar {

struct ConfigProblem {
    std::string key;    ///< of NetworkParams, like loss or link.buffer
    std::string text;   ///< what is wrong and how to write it right
};

/// Why routers with one virtual channel cannot stand in a torus.
inline constexpr std::string_view no_dateline =
    "a torus with 1 virtual channel can deadlock: packets round a row or column wait for each other; choose 2 or more, "
    "a "
    "class on each side of the dateline";

/// `problem` is one of `network`.
ConfigProblem config_problem(const NetworkProblem& problem, const NetworkParams& network);

/// Names the links of a circle of waits (models/network/topology/deadlock.hpp) and says how to write it right; nothing
/// if there is none.
std::optional<std::string> find_deadlock_problem(const Topology& topology, const RoutingParams& routing,
                                                 std::uint32_t virtual_channels);

}   // namespace oscar
