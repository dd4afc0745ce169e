// The list of collectives: a new one is a file pair (source in models/collective/CMakeLists.txt) and a line here.
#pragma once

#include <cstdint>

#include "models/collective/algorithms/all_reduce/bidirectional_ring.hpp"
#include "models/collective/algorithms/all_reduce/direct.hpp"
#include "models/collective/algorithms/all_reduce/double_binary_tree.hpp"
#include "models/collective/algorithms/all_reduce/halving_doubling.hpp"
#include "models/collective/algorithms/all_reduce/hierarchical.hpp"
#include "models/collective/algorithms/all_reduce/in_network.hpp"
#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "models/collective/algorithms/all_reduce/ring_2d.hpp"
#include "models/collective/algorithms/all_reduce/ring_nd.hpp"
#include "models/collective/algorithms/listed/flows.hpp"
#include "models/collective/algorithms/listed/listed_schedule.hpp"
#include "models/collective/algorithms/nccl/nccl.hpp"
#include "models/collective/algorithms/rooted/broadcast.hpp"
#include "models/collective/algorithms/rooted/gather.hpp"
#include "models/collective/algorithms/rooted/reduce.hpp"
#include "models/collective/algorithms/sharded/all_gather.hpp"
#include "models/collective/algorithms/sharded/all_to_all.hpp"
#include "models/collective/algorithms/sharded/reduce_scatter.hpp"
#include "models/collective/schedule/channels.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

inline constexpr auto collectives = Entries{
    kind<RingParams>("ring", "ring AllReduce: reduce-scatter, then all-gather"),
    kind<BidirectionalRingParams>("bidirectional_ring", "AllReduce on two rings in opposite directions, half on each"),
    kind<HalvingDoublingParams>("halving_doubling", "AllReduce by recursive halving and doubling (Rabenseifner)"),
    kind<DoubleBinaryTreeParams>("double_binary_tree", "AllReduce on two binary trees, half on each"),
    kind<NcclCollectiveParams>("nccl",
                               "AllReduce, reduce-scatter or all-gather by the ring, tree or adding switches that "
                               "NCCL's tuner chooses"),
    kind<DirectParams>("direct", "AllReduce in two timesteps: chunk j to rank j, and its sum back"),
    kind<Ring2dParams>("ring_2d", "AllReduce on rings along the rows and columns of a grid"),
    kind<RingNdParams>("ring_nd", "AllReduce on rings along the dimensions of a lattice of any number of them"),
    kind<HierarchicalParams>("hierarchical",
                             "AllReduce in islands directly or by their switches, across them on rings"),
    kind<InNetworkParams>("in_network",
                          "AllReduce in the network: switches add on the path to a root and copy on the path back"),
    kind<ReduceScatterParams>("reduce_scatter",
                              "reduce-scatter on a ring, or in islands and across them: rank r ends with the sum of "
                              "chunk r"),
    kind<AllGatherParams>("all_gather", "all-gather: chunk r of rank r to all ranks"),
    kind<BroadcastFromRootParams>("broadcast", "broadcast of rank 0's bucket to all ranks"),
    kind<ReduceToRootParams>("reduce", "reduce of all buckets to rank 0"),
    kind<GatherToRootParams>("gather", "gather: chunk r of rank r to rank 0"),
    kind<ScatterFromRootParams>("scatter", "scatter: chunk r of rank 0 to rank r"),
    kind<AllToAllParams>("all_to_all", "direct all-to-all: block j of rank r to rank j"),
    kind<FlowsParams>("flows", "transfers from a list, each from one rank to another"),
    kind<ListedScheduleParams>("schedule", "steps from a list, or from a file of MSCCL or GOAL"),
};
using Collective = OneOf<collectives>;

/// The schedule of all channels of a collective. `island`: neighbouring ranks on an island of the machine, which an
/// order of channels keeps together, and which are an island of a collective in islands that names none; 1: none.
/// Throws std::invalid_argument if the parameters do not fit the number of ranks; its text is the whole sentence.
Schedule make_schedule(const Collective& collective, std::uint32_t ranks, std::uint32_t island = 1);
/// The part of a schedule that stands for all under the rotation by `turn` ranks (rotation.hpp): the steps of some of
/// the chunks, among all ranks. Precondition: an AllReduce, all-gather or reduce-scatter on a ring, or hierarchical
/// with `turn` of whole islands; turn divides the ranks, and slices are not staggered (in_flight 0). Throws
/// std::logic_error for other collectives, and where switches of islands add.
Schedule make_part(const Collective& collective, std::uint32_t ranks, std::uint32_t island, std::uint32_t turn);
/// The operation that a collective performs, whatever its schedule.
Operation operation_of(const Collective& collective);
/// The condition under which a step of the collective may start.
Issue issue_of(const Collective& collective);
/// The number of parts of each chunk; with in_network, of chunks.
std::uint32_t slices_of(const Collective& collective);
/// The channel parameters; null for a collective without channels.
const ChannelledParams* channels_in(const Collective& collective);
/// The slices of an AllReduce that are in its first half at a time; 0 where all begin together.
std::uint32_t in_flight_of(const Collective& collective);
/// The number of channels; 1 where the collective has none.
std::uint32_t channels_of(const Collective& collective);

}   // namespace oscar
