// A broadcast from rank 0.
#pragma once

#include <array>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

enum class BroadcastShape : std::uint8_t { automatic, binomial, chain, hierarchical };
constexpr auto choices(BroadcastShape) {
    using enum BroadcastShape;
    return std::array{
        Choice{"automatic", automatic, "hierarchical on several islands of the topology, else binomial"},
        Choice{"binomial", binomial,
               "binomial tree: every rank that holds the data forwards it; their number doubles each timestep"},
        Choice{"chain", chain, "rank r sends to r+1; for many slices"},
        Choice{"hierarchical", hierarchical,
               "rank 0 hands each rank of its island a part, which goes to all islands by a binomial tree of its own, "
               "and in each from one to all"}};
}

struct BroadcastFromRootParams : CollectiveParams {
    BroadcastShape shape = BroadcastShape::automatic;
    std::uint32_t island = 0;
    static constexpr Operation operation = Operation::broadcast;
    static constexpr auto fields() {
        return concatenate(
            fields_of<BroadcastFromRootParams>(),
            Entries{field("shape", &BroadcastFromRootParams::shape, "tree of the broadcast"),
                    field("island", &BroadcastFromRootParams::island,
                          "ranks of an island (a divisor of `ranks`); 0: as for hierarchical", 0u, 4096u)});
    }
};

inline bool is_hierarchical(const BroadcastFromRootParams& params) {
    return params.shape == BroadcastShape::hierarchical;
}

/// The same collective on a machine with such islands (1: none), with its shape and its island named.
BroadcastFromRootParams on_islands(BroadcastFromRootParams params, std::uint32_t ranks, std::uint32_t of_machine);

/// One chunk a slice, (ranks-1) slices steps. Binomial: in timestep k, ranks below 2^k send to the rank 2^k further on,
/// ceil(log2 ranks) timesteps. Chain: ranks-1. Slice s goes s timesteps later.
/// Hierarchical, m islands of g: g chunks a slice. Rank 0 sends chunk i to rank i of its island, those of number i pass
/// it on to the islands as above, and each sends it to its island: 1 + ceil(log2 m) + 1 timesteps. Each NIC carries a
/// g-th of the bucket. An automatic shape is binomial. std::invalid_argument: the island does not divide the ranks.
/// Source: Thakur, Rabenseifner & Gropp, IJHPCA 2005, section 4.
Schedule make_schedule(const BroadcastFromRootParams& params, std::uint32_t ranks);

/// Binomial in one slice, for what one rank decides for all.
inline Schedule make_tree_broadcast(std::uint32_t ranks) { return make_schedule(BroadcastFromRootParams{}, ranks); }

}   // namespace oscar
