#include "models/collective/algorithms/nccl/nvls_tree.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/collective/algorithms/all_reduce/double_binary_tree.hpp"
#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

/// What a slice sends in each of its timesteps: to the switch (0) and from it (1), up the trees, down the trees, and by
/// the switch again.
class NvlsTreeSends {
public:
    NvlsTreeSends(ScheduleBuilder& builder, std::uint32_t nodes, std::uint32_t island)
        : builder_(builder),
          nodes_(nodes),
          island_(island),
          trees_{make_first_tree(nodes), make_second_tree(nodes)},
          height_(std::max(height_of(trees_[0]), height_of(trees_[1]))) {}

    std::uint32_t timesteps() const { return 4 + 2 * height_; }

    void send(std::uint32_t slice, std::uint32_t due) {
        for (std::uint32_t part = 0; part < island_; ++part)
            for (std::uint32_t k = 0; k < trees_.size(); ++k)
                for (std::uint32_t node = 0; node < nodes_; ++node)
                    send_of({slice, part, k, node, ChunkId{2 * (slice * island_ + part) + k}}, due);
    }

private:
    struct Place {
        std::uint32_t slice, part, tree, node;
        ChunkId chunk;
    };

    static std::uint32_t height_of(const BinaryTree& tree) { return tree.nodes[tree.root.value].height; }

    void send_of(const Place& at, std::uint32_t due) {
        const std::uint32_t last = timesteps() - 1, timestep = at.slice + due;
        if (due == 0) add_in_switch(at, timestep);
        else if (due == 1) builder_.send(switch_of(at.node), owner(at, at.node), at.chunk, Op::reduce, timestep);
        else if (due == last - 1) builder_.send(owner(at, at.node), switch_of(at.node), at.chunk, Op::copy, timestep);
        else if (due == last) copy_in_switch(at, timestep);
        else between_nodes(at, due - 2, timestep);
    }

    void add_in_switch(const Place& at, std::uint32_t timestep) {
        for (std::uint32_t i = 0; i < island_; ++i)
            if (i != at.part)
                builder_.send(Rank{at.node * island_ + i}, switch_of(at.node), at.chunk, Op::reduce, timestep);
    }

    void copy_in_switch(const Place& at, std::uint32_t timestep) {
        for (std::uint32_t i = 0; i < island_; ++i)
            builder_.send(switch_of(at.node), Rank{at.node * island_ + i}, at.chunk, Op::copy, timestep);
    }

    /// `due`: timesteps after the first on a tree.
    void between_nodes(const Place& at, std::uint32_t due, std::uint32_t timestep) {
        const BinaryTree::Node& node = trees_[at.tree].nodes[at.node];
        if (!node.parent) return;
        const Rank child = owner(at, at.node), parent = owner(at, node.parent->value);
        if (due == node.height) builder_.send(child, parent, at.chunk, Op::reduce, timestep);
        if (due == height_ + node.depth - 1) builder_.send(parent, child, at.chunk, Op::copy, timestep);
    }

    Rank owner(const Place& at, std::uint32_t node) const { return Rank{node * island_ + at.part}; }
    Rank switch_of(std::uint32_t node) const { return Rank{nodes_ * island_ + node}; }

    ScheduleBuilder& builder_;
    std::uint32_t nodes_, island_;
    std::array<BinaryTree, 2> trees_;
    std::uint32_t height_;
};

}   // namespace

Schedule make_schedule(const NvlsTreeParams& params, std::uint32_t ranks) {
    if (ranks % params.island != 0)
        throw std::invalid_argument("nodes of " + std::to_string(params.island) + " do not divide " +
                                    std::to_string(ranks) + " ranks");
    const std::uint32_t nodes = ranks / params.island;
    ScheduleBuilder builder(ranks, 2 * params.island * params.slices, nodes);
    NvlsTreeSends sends(builder, nodes, params.island);
    for (std::uint32_t t = 0; t + 1 < sends.timesteps() + params.slices; ++t)
        for (std::uint32_t slice = 0; slice < std::min(t + 1, params.slices); ++slice)
            if (t - slice < sends.timesteps()) sends.send(slice, t - slice);
    Schedule schedule = std::move(builder).finish();
    schedule.island_switches = true;
    return schedule;
}

std::uint64_t steps_of_a_slice(const NvlsTreeParams& params, std::uint32_t ranks) {
    const std::uint64_t island = params.island, nodes = ranks / params.island;
    return 2 * island * (nodes * (2 * island + 1) + 2 * (nodes - 1));
}

}   // namespace oscar
