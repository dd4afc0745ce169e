// AllReduce by the switches of nodes, and on two binary trees between nodes: NCCL's NVLSTree.
#pragma once

#include <cstdint>

#include "models/collective/schedule/operation.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// `island`: the ranks of a node.
struct NvlsTreeParams {
    std::uint32_t slices = 1, island = 1;
    static constexpr Operation operation = Operation::all_reduce;
};

/// N nodes of g neighbouring ranks. A slice has 2 g chunks: chunk 2 i + k is part i of tree k. In each node the ranks
/// send all parts but their own to the switch, aggregator number ranks + node, which sends the sum of part i to rank i,
/// which adds its own. The ranks number i of all nodes sum up part i on the two trees of nodes of double_binary_tree,
/// half on each, and send the whole sum back on them. Rank i then sends it to the switch, which sends it to all ranks,
/// the sender among them. 2 g (N (2 g + 1) + 2 (N - 1)) steps a slice; slice s begins s timesteps later.
/// Source: NVLSTree of NCCL, src/transport/nvls.cc and src/device/all_reduce.h. Preconditions: g above 1, N above 1.
/// std::invalid_argument: the nodes do not divide the ranks.
Schedule make_schedule(const NvlsTreeParams& params, std::uint32_t ranks);

/// The steps of a slice.
std::uint64_t steps_of_a_slice(const NvlsTreeParams& params, std::uint32_t ranks);

}   // namespace oscar
