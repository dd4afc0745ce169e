// The channels of a collective: parts of the bucket that are sent side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// A permutation of ranks: for each rank of a schedule, the one that takes its place.
using RankOrder = std::vector<Rank>;

/// The number of a chunk in an order of ranks: its own, or, where chunks belong to ranks, that of the rank that takes
/// its owner's place.
enum class ChunkOrder : std::uint8_t { same, as_ranks };

/// A schedule that performs `schedule` once for each of the orders, all at the same time, each with a part of the
/// bucket and among the ranks in that order. Of G chunks a slice, chunk c of slice s becomes (s K + k) G + c in order k
/// of K, or + order[c] in place of c, so that contiguous chunks make each part a run of the bucket. The timesteps stay;
/// in a timestep, a slice's steps in one order follow its steps in the order before. Precondition: the slices divide
/// the chunks, an order is a permutation; `as_ranks`: of the first G ranks, too.
Schedule side_by_side(const Schedule& schedule, std::uint32_t slices, std::span<const RankOrder> orders,
                      ChunkOrder chunks = ChunkOrder::same);

/// The order of each channel. Rotated: where an island of g neighbouring ranks has rank i, channel k of K has rank
/// (i + k g / K) mod g of it, so that up to g channels have another first rank each, and another last. The last island
/// may have fewer ranks.
std::vector<RankOrder> orders_of(const ChannelledParams& params, std::uint32_t ranks, std::uint32_t island);

/// The schedule of all channels of a collective from that of one, which it is if there is only one.
/// Source: NCCL's channels, src/graph/connect.cc.
Schedule in_channels(Schedule one, const ChannelledParams& params, std::uint32_t island,
                     ChunkOrder chunks = ChunkOrder::same);

}   // namespace oscar
