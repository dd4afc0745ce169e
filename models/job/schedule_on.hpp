// The schedule of a collective on a machine.
#pragma once

#include <stdexcept>
#include <string>

#include "models/collective/algorithms/collective_islands.hpp"
#include "models/network/topology/aggregation_tree.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The schedule of the topology's ranks; channels may be rotated within islands, which are those of a collective in
/// islands, too. With in_network the switches of aggregation_tree() take part, in islands those of island_trees() may.
/// Throws std::invalid_argument where ranks or topology do not fit; what() is a sentence.
inline Schedule schedule_on(const Collective& collective, const Topology& topology) {
    const auto islands = islands_of(collective, topology.ranks, topology.island);
    if (islands && islands->by_switches() && islands->ranks != topology.island)
        throw std::invalid_argument("the switches of islands add, and islands of the topology have " +
                                    std::to_string(topology.island) + " ranks, those of the collective " +
                                    std::to_string(islands->ranks) +
                                    "; choose topology {kind: hierarchical, island: ...} of that size");
    if (const auto* params = std::get_if<InNetworkParams>(&collective.params))
        return make_schedule(*params, topology.ranks, aggregation_tree(topology).parents);
    return make_schedule(collective, topology.ranks, topology.island);
}

}   // namespace oscar
