// AllReduce on two binary trees.
#pragma once

#include <optional>
#include <vector>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct DoubleBinaryTreeParams : StaggeredParams {
    std::uint32_t island = 1;
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(fields_of<DoubleBinaryTreeParams>(),
                           Entries{field("island", &DoubleBinaryTreeParams::island,
                                         "ranks of an island (a divisor of `ranks`): a chain below its first "
                                         "rank, which is in the trees; 1: all ranks are in the trees",
                                         1u, 4096u)});
    }
};

/// A tree of ranks: binary, but for chains that hang on it.
struct BinaryTree {
    struct Node {
        std::optional<Rank> parent;
        std::uint32_t height = 0, depth = 0;   ///< 0: a leaf; the root
    };
    std::vector<Node> nodes;   ///< per rank
    Rank root;
};

/// Two trees in each of which the ranks are numbered in order, odd positions inside: position r, and n-1-r (n even) or
/// r+1 mod n (n odd), which has the other parity wherever it matters. Law: no rank is an inner node of both.
/// Source: Sanders, Speck & Traff, Parallel Computing 2009, section 3.
BinaryTree make_first_tree(std::uint32_t ranks);
/// The mirrored (n even) or shifted (n odd) counterpart of make_first_tree().
BinaryTree make_second_tree(std::uint32_t ranks);
/// A tree of islands of `island` neighbouring ranks: the first of each stands for it, the others are a chain below the
/// first. Source: trees over nodes of NCCL, src/graph/trees.cc and connect.cc.
BinaryTree with_chains(const BinaryTree& islands, std::uint32_t island);

/// Each tree adds up half of the bucket to its root and brings the sum back; 2 slices chunks (of a slice the first
/// tree's first), 4 (ranks-1) slices steps. Slices follow each other up and down the tree: a node of height h sends
/// slice s up in timestep h + s, one of depth d sends it down in H + d + s, H being the height of the root.
/// An inner node receives and sends half of the bucket on each of its edges, up and down, a leaf of the other tree
/// once. Precondition: ranks >= 2. std::invalid_argument: the island does not divide the ranks, or
/// in_flight is not 0.
Schedule make_schedule(const DoubleBinaryTreeParams& params, std::uint32_t ranks);

}   // namespace oscar
