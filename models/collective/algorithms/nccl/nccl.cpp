#include "models/collective/algorithms/nccl/nccl.hpp"

#include <algorithm>

#include "models/collective/algorithms/all_reduce/double_binary_tree.hpp"
#include "models/collective/algorithms/all_reduce/ring.hpp"

namespace oscar {

NcclAllReduceParams on_islands(const NcclAllReduceParams& params, std::uint32_t ranks, std::uint32_t island) {
    NcclAllReduceParams placed = params;
    placed.island = std::min(ranks, island);
    return placed;
}

Schedule make_schedule(const NcclAllReduceParams& params, std::uint32_t ranks) {
    if (!params.is_tree()) {
        RingParams ring;
        ring.slices = params.slices;
        return make_schedule(ring, ranks);
    }
    DoubleBinaryTreeParams tree;
    tree.slices = params.slices;
    tree.island = params.island;
    return make_schedule(tree, ranks);
}

}   // namespace oscar
