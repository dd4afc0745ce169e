#include "sim/parameters/carrier_schedule.hpp"

#include "models/collective/algorithms/chain_reduce.hpp"
#include "models/collective/algorithms/collectives.hpp"

namespace oscar {

Schedule carrier_schedule(CollectiveKind carrier, std::uint32_t ranks, std::uint32_t root) {
    constexpr std::uint32_t reduce_chunks = 16;   // of a chain: enough to keep all its links busy
    switch (carrier) {
        case CollectiveKind::all_reduce:
            return make_schedule(RingParams{}, ranks);
        case CollectiveKind::all_gather:
            return make_ring_all_gather(ranks);
        case CollectiveKind::reduce_scatter:
            return make_schedule(ReduceScatterParams{}, ranks);
        case CollectiveKind::reduce:
            return make_chain_reduce(ranks, root, reduce_chunks);
        case CollectiveKind::broadcast:
            return make_tree_broadcast(ranks);
        case CollectiveKind::all_to_all:
            return make_schedule(AllToAllParams{}, ranks);
        case CollectiveKind::shift:
            return make_shift(ranks);
    }
    return {};
}

}   // namespace oscar
