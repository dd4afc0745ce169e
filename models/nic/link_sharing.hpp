// Whether the messages of a collective meet on links: closed forms hold only where they do not.
#pragma once

#include "models/collective/algorithms/ring.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {

/// Lock-step: two messages of one timestep take the same link. Dependency-driven: messages of two ranks do, whenever.
/// With spraying it is not known before the run, and counts as sharing.
bool shares_links(const Schedule& schedule, const Routes& routes, Issue issue);

}   // namespace oscar
