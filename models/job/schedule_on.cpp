#include "models/job/schedule_on.hpp"

#include "models/network/topology/aggregation_tree.hpp"

namespace oscar {

Schedule schedule_on(const Collective& collective, const Topology& topology) {
    if (const auto* params = std::get_if<InNetworkParams>(&collective.params))
        return make_schedule(*params, topology.ranks, aggregation_tree(topology).parents);
    return make_schedule(collective, topology.ranks, topology.island);
}

}   // namespace oscar
