// A broadcast from rank 0.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

enum class BroadcastShape : std::uint8_t { binomial, chain };
constexpr auto choices(BroadcastShape) {
    return std::array{
        Choice{"binomial", BroadcastShape::binomial,
               "binomial tree: every rank that holds the data forwards it; their number doubles each timestep"},
        Choice{"chain", BroadcastShape::chain, "rank r sends to r+1; for many slices"}};
}

struct BroadcastFromRootParams : CollectiveParams {
    BroadcastShape shape = BroadcastShape::binomial;
    static constexpr Operation operation = Operation::broadcast;
    static constexpr auto fields() {
        return concatenate(fields_of<BroadcastFromRootParams>(),
                           Entries{field("shape", &BroadcastFromRootParams::shape, "tree of the broadcast")});
    }
};

/// One chunk a slice, (ranks-1) slices steps. Binomial: in timestep k, ranks below 2^k send to the rank 2^k further on,
/// ceil(log2 ranks) timesteps. Chain: ranks-1. Slice s goes s timesteps later.
/// Source: Thakur, Rabenseifner & Gropp, IJHPCA 2005, section 4.
Schedule make_schedule(const BroadcastFromRootParams& params, std::uint32_t ranks);

/// Binomial in one slice, for what one rank decides for all.
inline Schedule make_tree_broadcast(std::uint32_t ranks) { return make_schedule(BroadcastFromRootParams{}, ranks); }

}   // namespace oscar
