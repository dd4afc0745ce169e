// The schedule of a collective on a machine.
#pragma once

#include "models/collective/algorithms/collectives.hpp"
#include "models/network/topology/aggregation_tree.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The schedule of the topology's ranks; channels may be rotated within islands. With in_network the switches of
/// aggregation_tree() take part. Throws std::invalid_argument where ranks or topology do not fit; what() is a sentence.
inline Schedule schedule_on(const Collective& collective, const Topology& topology) {
    if (const auto* params = std::get_if<InNetworkParams>(&collective.params))
        return make_schedule(*params, topology.ranks, aggregation_tree(topology).parents);
    return make_schedule(collective, topology.ranks, topology.island);
}

}   // namespace oscar
