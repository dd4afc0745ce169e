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
    std::uint64_t operator()(const BroadcastFromRootParams&) const { return 1; }
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
    std::uint64_t operator()(const HierarchicalParams& params) const {
        return std::uint64_t{3} * ranks * switches_of(params, ranks, island);
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

}   // namespace

std::uint64_t count_steps(const Collective& collective, std::uint32_t ranks, std::uint32_t aggregators,
                          std::uint32_t island) {
    if (const auto* listed = std::get_if<ListedScheduleParams>(&collective.params))
        if (!listed->steps.empty()) return std::uint64_t{listed->steps.size()} * listed->slices;
    const bool in_network = std::holds_alternative<InNetworkParams>(collective.params);
    const std::uint64_t participants = std::uint64_t{ranks} + (in_network ? aggregators : 0);
    const std::uint64_t of_a_slice =
        std::visit(Chunks{ranks}, collective.params) * steps_of_a_chunk(operation_of(collective), participants) +
        std::visit(StepsOfSwitches{ranks, island}, collective.params);
    return of_a_slice * slices_of(collective) * channels_of(collective);
}

}   // namespace oscar
