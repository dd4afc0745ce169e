// Notes of a report on links that do not carry what their topology seems to promise.
#pragma once

#include <optional>
#include <string>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Links inside a node that are faster than what every message passes besides: DMA, the engine or the adders of the
/// NIC; or on which a method codes. Names the keys.
std::optional<std::string> note_on_island_links(const Parameters& parameters, const Topology& topology);

/// Cables between rails and spines on which several connections of the collective meet, and what avoids that.
/// Precondition: every connection has a path.
std::optional<std::string> note_on_rails(const Parameters& parameters, const Routes& routes);

}   // namespace oscar
