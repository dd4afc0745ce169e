// The halves of an AllReduce: its reduce-scatter, and its all-gather.
#pragma once

#include <optional>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar {

/// The parameters that an AllReduce and its halves share.
inline ReduceScatterParams first_half(const ChannelledParams& whole, const IslandParams& islands,
                                      ReduceScatterShape shape) {
    ReduceScatterParams half;
    static_cast<ChannelledParams&>(half) = whole;
    static_cast<IslandParams&>(half) = islands;
    half.shape = shape;
    return half;
}

/// See reduce_scatter_of().
struct FirstHalf {
    std::optional<ReduceScatterParams> operator()(const auto&) const { return std::nullopt; }
    std::optional<ReduceScatterParams> operator()(const ReduceScatterParams& params) const { return params; }
    std::optional<ReduceScatterParams> operator()(const RingParams& params) const {
        return first_half(params, {}, ReduceScatterShape::ring);
    }
    std::optional<ReduceScatterParams> operator()(const HierarchicalParams& params) const {
        return first_half(params, params, ReduceScatterShape::hierarchical);
    }
};

/// The first half of an AllReduce on a ring or in islands, or the reduce-scatter that the collective is; none where it
/// is another, whose halves do not leave a shard to each rank.
inline std::optional<ReduceScatterParams> reduce_scatter_of(const Collective& collective) {
    return std::visit(FirstHalf{}, collective.params);
}

/// The all-gather that brings back what a reduce-scatter has shared out, on the same ways.
inline AllGatherParams all_gather_of(const ReduceScatterParams& params) {
    AllGatherParams gather;
    static_cast<ShardParams&>(gather) = params;
    switch (params.shape) {
        case ReduceScatterShape::automatic:
            gather.shape = AllGatherShape::automatic;
            break;
        case ReduceScatterShape::ring:
            gather.shape = AllGatherShape::ring;
            break;
        case ReduceScatterShape::hierarchical:
            gather.shape = AllGatherShape::hierarchical;
            break;
    }
    return gather;
}

}   // namespace oscar
