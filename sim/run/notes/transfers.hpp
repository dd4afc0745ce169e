// Notes of a report on transfers whose times hang on more than their sizes.
#pragma once

#include <optional>
#include <string>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Flows of one rank that begin at one instant: the order of the list is the order in which they are posted.
std::optional<std::string> note_on_order_of_flows(const Parameters& parameters);

/// A timeout that packets exceed by waiting for one full buffer: they are then sent again without need. Precondition:
/// every flow has a path, and one back where receivers answer.
std::optional<std::string> note_on_timeout(const Parameters& parameters, const Routes& routes);

}   // namespace oscar
