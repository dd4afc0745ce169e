// The schedule of a collective on a machine.
#pragma once

#include "models/collective/algorithms/collectives.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// That of its ranks, whose channels may turn in its islands; in_network also has the switches of aggregation_tree()
/// take part. Throws std::invalid_argument where ranks or topology do not fit; the text is the whole sentence.
Schedule schedule_on(const Collective& collective, const Topology& topology);

}   // namespace oscar
