#include "models/collective/algorithms/all_reduce/double_binary_tree.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

using RankAt = std::function<Rank(std::uint32_t position)>;

/// Hangs the positions [begin, end), begin even, below `parent`; returns the root of them. It is odd unless it is
/// alone, and what is right of it begins even again.
Rank hang(BinaryTree& tree, const RankAt& rank_at, std::uint32_t begin, std::uint32_t end, std::optional<Rank> parent,
          std::uint32_t depth) {
    const std::uint32_t size = end - begin, middle = begin + (size > 1 ? (size - 1) / 2 | 1 : 0);
    const Rank root = rank_at(middle);
    BinaryTree::Node& node = tree.nodes[root.value];
    node.parent = parent;
    node.depth = depth;
    for (const auto& [from, to] : {std::pair{begin, middle}, std::pair{middle + 1, end}})
        if (from < to) {
            const Rank child = hang(tree, rank_at, from, to, root, depth + 1);
            node.height = std::max(node.height, tree.nodes[child.value].height + 1);
        }
    return root;
}

BinaryTree make_tree(std::uint32_t ranks, const RankAt& rank_at) {
    BinaryTree tree{std::vector<BinaryTree::Node>(ranks), {}};
    tree.root = hang(tree, rank_at, 0, ranks, std::nullopt, 0);
    return tree;
}

/// What slice s of one tree's half sends in a timestep.
void send_due(ScheduleBuilder& builder, const BinaryTree& tree, ChunkId chunk, std::uint32_t slice,
              std::uint32_t timestep) {
    const std::uint32_t up = tree.nodes[tree.root.value].height;
    for (std::uint32_t r = 0; r < tree.nodes.size(); ++r) {
        const BinaryTree::Node& node = tree.nodes[r];
        if (!node.parent) continue;
        if (node.height + slice == timestep) builder.send(Rank{r}, *node.parent, chunk, Op::reduce, timestep);
        if (up + node.depth - 1 + slice == timestep) builder.send(*node.parent, Rank{r}, chunk, Op::copy, timestep);
    }
}

std::uint32_t depth_of(const BinaryTree& tree) {
    return std::ranges::max(tree.nodes, {}, &BinaryTree::Node::depth).depth;
}

}   // namespace

BinaryTree make_first_tree(std::uint32_t ranks) {
    return make_tree(ranks, [](std::uint32_t position) { return Rank{position}; });
}

BinaryTree make_second_tree(std::uint32_t ranks) {
    return make_tree(ranks, [ranks](std::uint32_t position) {
        return Rank{ranks % 2 == 0 ? ranks - 1 - position : (position + ranks - 1) % ranks};
    });
}

BinaryTree with_chains(const BinaryTree& islands, std::uint32_t island) {
    BinaryTree tree{std::vector<BinaryTree::Node>(islands.nodes.size() * island), Rank{islands.root.value * island}};
    std::vector<std::uint32_t> order(islands.nodes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, std::greater{}, [&](std::uint32_t i) { return islands.nodes[i].depth; });
    for (const std::uint32_t i : order) {   // children before their parents
        const Rank first{i * island};
        BinaryTree::Node& head = tree.nodes[first.value];
        for (std::uint32_t k = 1; k < island; ++k)
            tree.nodes[first.value + k] = {Rank{first.value + k - 1}, island - 1 - k, islands.nodes[i].depth + k};
        head.depth = islands.nodes[i].depth;
        head.height = std::max(head.height, island - 1);
        if (const auto parent = islands.nodes[i].parent) {
            head.parent = Rank{parent->value * island};
            BinaryTree::Node& above = tree.nodes[head.parent->value];
            above.height = std::max(above.height, head.height + 1);
        }
    }
    return tree;
}

Schedule make_schedule(const DoubleBinaryTreeParams& params, std::uint32_t ranks) {
    if (params.in_flight != 0)
        throw std::invalid_argument(
            "in_flight: the slices of a double_binary_tree follow each other as they are; leave "
            "it at 0");
    if (ranks % params.island != 0)
        throw std::invalid_argument("island: " + std::to_string(params.island) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor");
    ScheduleBuilder builder(ranks, 2 * params.slices);
    const std::uint32_t islands = ranks / params.island;
    const std::array trees{with_chains(make_first_tree(islands), params.island),
                           with_chains(make_second_tree(islands), params.island)};
    std::uint32_t timesteps = 0;
    for (const BinaryTree& tree : trees)
        timesteps = std::max(timesteps, tree.nodes[tree.root.value].height + depth_of(tree) + params.slices);
    for (std::uint32_t t = 0; t < timesteps; ++t)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (std::uint32_t k = 0; k < trees.size(); ++k)
                send_due(builder, trees[k], ChunkId{2 * slice + k}, slice, t);
    return std::move(builder).finish();
}

}   // namespace oscar
