#include "models/collective/algorithms/step_count.hpp"

#include <bit>

namespace oscar {
namespace {

/// Of a slice and channel, in a collective whose kind cuts the bucket into a chunk for each rank unless it says else.
struct Chunks {
    std::uint64_t ranks;
    std::uint64_t operator()(const auto&) const { return ranks; }
    std::uint64_t operator()(const BidirectionalRingParams&) const { return 2 * ranks; }
    std::uint64_t operator()(const HalvingDoublingParams&) const { return std::bit_floor(ranks); }
    std::uint64_t operator()(const DoubleBinaryTreeParams&) const { return 2; }
    std::uint64_t operator()(const InNetworkParams&) const { return 1; }
    std::uint64_t operator()(const ReduceToRootParams&) const { return 1; }
    std::uint64_t operator()(const GatherToRootParams& params) const { return rooted_messages(params.shape, ranks); }
    std::uint64_t operator()(const ScatterFromRootParams& params) const { return rooted_messages(params.shape, ranks); }
    std::uint64_t operator()(const AllToAllParams&) const { return ranks * (ranks - 1); }
    std::uint64_t operator()(const FlowsParams& params) const {
        return params.flows.empty() ? ranks : params.flows.size();
    }
};

/// Beside those of ranks that exchange chunks: of each island and chunk the ways to and from the rank that sums it up,
/// and the copy for the sender.
struct StepsOfSwitches {
    std::uint32_t ranks, island;
    std::uint64_t operator()(const auto&) const { return 0; }
    std::uint64_t operator()(const NcclCollectiveParams& params) const { return std::visit(*this, performed(params)); }
    std::uint64_t operator()(const HierarchicalParams& params) const {
        return std::uint64_t{3} * ranks * switches_of(params, ranks, island);
    }
    std::uint64_t operator()(const ReduceScatterParams& params) const {
        return std::uint64_t{ranks} * switches_of_shards(on_islands(params, ranks, island));
    }
    std::uint64_t operator()(const AllGatherParams& params) const {
        return std::uint64_t{2} * group_of(params, ranks) * switches_of_shards(on_islands(params, ranks, island));
    }

private:
    std::uint64_t switches_of_shards(const auto& params) const {
        return switches_in(params, grid_of(params, ranks, is_hierarchical(params)));
    }
};

std::uint64_t steps_of_a_chunk(Operation operation, std::uint64_t participants) {
    switch (operation) {
        case Operation::all_reduce:
            return 2 * (participants - 1);
        case Operation::reduce_scatter:
        case Operation::all_gather:
        case Operation::broadcast:
        case Operation::reduce:
            return participants - 1;
        case Operation::gather:
        case Operation::scatter:
        case Operation::all_to_all:
        case Operation::transfers:
            return 1;
    }
    return 0;
}

/// Those of a slice and channel, without switches of islands. Where m groups share the bucket, a chunk of a
/// reduce-scatter goes to the rank of each group that has it, too, and an all-gather is one of each group.
struct StepsOfASlice {
    std::uint32_t ranks, island;
    std::uint64_t participants;
    std::uint64_t operator()(const auto& params) const {
        return Chunks{ranks}(params)*steps_of_a_chunk(params.operation, participants);
    }
    std::uint64_t operator()(const ReduceScatterParams& params) const {
        const std::uint64_t groups = ranks / group_of(params, ranks);
        return ranks * (ranks - 1 + groups - 1);
    }
    std::uint64_t operator()(const AllGatherParams& params) const {
        return std::uint64_t{ranks} * (group_of(params, ranks) - 1);
    }
    std::uint64_t operator()(const NcclCollectiveParams& params) const { return std::visit(*this, performed(params)); }
    std::uint64_t operator()(const NvlsTreeParams& params) const { return steps_of_a_slice(params, ranks); }
    std::uint64_t operator()(const BroadcastFromRootParams& params) const {
        const auto placed = on_islands(params, ranks, island);
        return std::uint64_t{ranks - 1} * (is_hierarchical(placed) ? placed.island : 1);
    }
};

}   // namespace

std::uint64_t count_steps(const Collective& collective, std::uint32_t ranks, std::uint32_t aggregators,
                          std::uint32_t island) {
    if (const auto* listed = std::get_if<ListedScheduleParams>(&collective.params))
        if (!listed->steps.empty()) return std::uint64_t{listed->steps.size()} * listed->slices;
    const bool in_network = std::holds_alternative<InNetworkParams>(collective.params);
    const std::uint64_t participants = std::uint64_t{ranks} + (in_network ? aggregators : 0);
    const std::uint64_t of_a_slice = std::visit(StepsOfASlice{ranks, island, participants}, collective.params) +
                                     std::visit(StepsOfSwitches{ranks, island}, collective.params);
    return of_a_slice * slices_of(collective) * channels_of(collective);
}

}   // namespace oscar
