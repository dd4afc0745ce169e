#include "models/collective/algorithms/nccl/nccl.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

template <class P>
P with_slices(const NcclCollectiveParams& params) {
    P made;
    made.slices = params.slices;
    return made;
}

template <class P>
P with_nodes(const NcclCollectiveParams& params) {
    P made = with_slices<P>(params);
    made.island = params.island;
    return made;
}

HierarchicalParams by_switch(const NcclCollectiveParams& params) {
    auto made = with_nodes<HierarchicalParams>(params);
    made.inside = InsideIsland::island_switch;
    return made;
}

/// A reduce-scatter or an all-gather.
template <class P, class Shape>
P nccl_sharded(const NcclCollectiveParams& params, Shape ring, Shape in_islands) {
    P made = with_slices<P>(params);
    made.shape = ring;
    if (params.algorithm.value_or(NcclAlgorithm::ring) == NcclAlgorithm::ring) return made;
    if (params.algorithm != NcclAlgorithm::nvls)
        throw std::invalid_argument("algorithm " + std::string(to_text(*params.algorithm)) + " is for all_reduce; " +
                                    std::string(to_text(params.operation)) + " has ring and NVLS");
    made.shape = in_islands;
    made.island = params.island;
    made.inside = InsideIsland::island_switch;
    return made;
}

NcclPerformed nccl_all_reduce(const NcclCollectiveParams& params) {
    switch (params.algorithm.value_or(NcclAlgorithm::ring)) {
        case NcclAlgorithm::ring:
            return with_slices<RingParams>(params);
        case NcclAlgorithm::tree:
            return with_nodes<DoubleBinaryTreeParams>(params);
        case NcclAlgorithm::nvls:
            return by_switch(params);
        case NcclAlgorithm::nvls_tree:
            return with_nodes<NvlsTreeParams>(params);
    }
    throw std::logic_error("no algorithm of NCCL");
}

}   // namespace

NcclCollectiveParams on_islands(const NcclCollectiveParams& params, std::uint32_t ranks, std::uint32_t island) {
    NcclCollectiveParams placed = params;
    placed.island = std::min(ranks, island);
    return placed;
}

NcclPerformed performed(const NcclCollectiveParams& params) {
    switch (params.operation) {
        case Operation::all_reduce:
            return nccl_all_reduce(params);
        case Operation::reduce_scatter:
            return nccl_sharded<ReduceScatterParams>(params, ReduceScatterShape::ring,
                                                     ReduceScatterShape::hierarchical);
        case Operation::all_gather:
            return nccl_sharded<AllGatherParams>(params, AllGatherShape::ring, AllGatherShape::hierarchical);
        default:
            throw std::invalid_argument("operation " + std::string(to_text(params.operation)) +
                                        ": NCCL's tuner chooses for all_reduce, reduce_scatter and all_gather; choose "
                                        "one of these, or the collective of that name");
    }
}

Schedule make_schedule(const NcclCollectiveParams& params, std::uint32_t ranks) {
    return std::visit([ranks](const auto& chosen) { return make_schedule(chosen, ranks); }, performed(params));
}

Schedule make_part(const NcclCollectiveParams& params, std::uint32_t ranks, std::uint32_t turn) {
    if (params.algorithm.value_or(NcclAlgorithm::ring) != NcclAlgorithm::ring)
        throw std::logic_error("trees and switches, whose steps differ from rank to rank");
    return std::visit(
        [&](const auto& ring) -> Schedule {
            if constexpr (requires { make_part(ring, ranks, turn); }) return make_part(ring, ranks, turn);
            else throw std::logic_error("no ring");
        },
        performed(params));
}

}   // namespace oscar
