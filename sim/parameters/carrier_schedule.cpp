#include "sim/parameters/carrier_schedule.hpp"

#include "models/collective/schedule/chain_reduce.hpp"
#include "models/job/schedule_on.hpp"

namespace oscar {

Schedule carrier_schedule(CollectiveKind carrier, const Topology& topology, std::uint32_t root) {
    const std::uint32_t ranks = topology.ranks;
    constexpr std::uint32_t reduce_chunks = 16;   // of a chain: enough to keep all its links busy
    switch (carrier) {
        case CollectiveKind::all_reduce:
            return make_schedule(RingParams{}, ranks);
        case CollectiveKind::all_gather:
            return schedule_on(AllGatherParams{}, topology);
        case CollectiveKind::reduce_scatter:
            return schedule_on(ReduceScatterParams{}, topology);
        case CollectiveKind::reduce:
            return make_chain_reduce(ranks, root, reduce_chunks);
        case CollectiveKind::broadcast:
            return make_tree_broadcast(ranks);
        case CollectiveKind::all_to_all:
            return schedule_on(AllToAllParams{}, topology);
        case CollectiveKind::shift:
            return make_shift(ranks);
    }
    return {};
}

}   // namespace oscar
