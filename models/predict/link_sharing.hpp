// Link sharing: whether messages of a collective meet on links. Closed forms hold only where they do not.
#pragma once

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {

/// Lock-step: whether two messages of one timestep use the same link. Dependency-driven: whether messages of two ranks
/// do, at any time. With spraying this is not known before the run, and counts as sharing.
bool shares_links(const Schedule& schedule, const Routes& routes, Issue issue);

}   // namespace oscar
