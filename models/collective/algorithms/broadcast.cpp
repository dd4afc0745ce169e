#include "models/collective/algorithms/broadcast.hpp"

#include <algorithm>
#include <vector>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

struct Edge {
    Rank from, to;
    std::uint32_t round;
};

/// In the order of rounds.
std::vector<Edge> edges_of(BroadcastShape shape, std::uint32_t ranks) {
    std::vector<Edge> edges;
    std::uint32_t round = 0;
    if (shape == BroadcastShape::chain)
        for (; round + 1 < ranks; ++round) edges.push_back({Rank{round}, Rank{round + 1}, round});
    else
        for (std::uint32_t half = 1; half < ranks; half *= 2, ++round)
            for (std::uint32_t r = 0; r < std::min(half, ranks - half); ++r)
                edges.push_back({Rank{r}, Rank{r + half}, round});
    return edges;
}

}   // namespace

Schedule make_schedule(const BroadcastFromRootParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, params.slices);
    const auto edges = edges_of(params.shape, ranks);
    for (std::uint32_t t = 0; !edges.empty() && t <= edges.back().round + params.slices - 1; ++t)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (const Edge& edge : edges)
                if (edge.round + slice == t) builder.send(edge.from, edge.to, ChunkId{slice}, Op::copy, t);
    return std::move(builder).finish();
}

}   // namespace oscar
