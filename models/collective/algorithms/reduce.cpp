#include "models/collective/algorithms/reduce.hpp"

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
std::vector<Edge> edges_of(ReduceShape shape, std::uint32_t ranks) {
    std::vector<Edge> edges;
    std::uint32_t round = 0;
    if (shape == ReduceShape::chain)
        for (; round + 1 < ranks; ++round) edges.push_back({Rank{ranks - 1 - round}, Rank{ranks - 2 - round}, round});
    else
        for (std::uint32_t left = ranks; left > 1; left = (left + 1) / 2, ++round)   // ranks that hold a sum
            for (std::uint32_t r = (left + 1) / 2; r < left; ++r)
                edges.push_back({Rank{r}, Rank{r - (left + 1) / 2}, round});
    return edges;
}

}   // namespace

Schedule make_schedule(const ReduceToRootParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, params.slices);
    const auto edges = edges_of(params.shape, ranks);
    for (std::uint32_t t = 0; t <= edges.back().round + params.slices - 1; ++t)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (const Edge& edge : edges)
                if (edge.round + slice == t) builder.send(edge.from, edge.to, ChunkId{slice}, Op::reduce, t);
    return std::move(builder).finish();
}

}   // namespace oscar
