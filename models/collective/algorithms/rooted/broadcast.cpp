#include "models/collective/algorithms/rooted/broadcast.hpp"

#include <algorithm>
#include <vector>

#include "models/collective/schedule/builder.hpp"
#include "models/collective/schedule/islands.hpp"

namespace oscar {
namespace {

/// A copy of a chunk, which each slice makes.
struct Edge {
    Rank from, to;
    std::uint32_t round;
    std::uint32_t chunk = 0;
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

/// Rank 0 has all of its island from the beginning.
std::vector<Edge> edges_by_islands(std::uint32_t ranks, std::uint32_t island) {
    const auto between = edges_of(BroadcastShape::binomial, ranks / island);
    const std::uint32_t last = between.empty() ? 1 : between.back().round + 2;
    std::vector<Edge> edges;
    for (std::uint32_t i = 1; i < island; ++i) edges.push_back({Rank{0}, Rank{i}, 0, i});
    for (const Edge& edge : between)
        for (std::uint32_t i = 0; i < island; ++i)
            edges.push_back({Rank{edge.from.value * island + i}, Rank{edge.to.value * island + i}, edge.round + 1, i});
    for (std::uint32_t away = 1; away < island; ++away)
        for (std::uint32_t r = 0; r < ranks; ++r) {
            const Rank to{r / island * island + (r % island + away) % island};
            if (to != Rank{0}) edges.push_back({Rank{r}, to, last, r % island});
        }
    return edges;
}

std::uint32_t island_of_broadcast(const BroadcastFromRootParams& params, std::uint32_t ranks,
                                  std::uint32_t of_machine) {
    return island_of(IslandParams{params.island}, ranks, of_machine);
}

}   // namespace

BroadcastFromRootParams on_islands(BroadcastFromRootParams params, std::uint32_t ranks, std::uint32_t of_machine) {
    using enum BroadcastShape;
    if (params.shape == automatic) {
        const bool several = of_machine > 1 && ranks > of_machine && island_of_broadcast(params, ranks, of_machine) > 1;
        params.shape = several || params.island != 0 ? hierarchical : binomial;
    }
    if (params.shape == hierarchical) params.island = island_of_broadcast(params, ranks, of_machine);
    return params;
}

Schedule make_schedule(const BroadcastFromRootParams& params, std::uint32_t ranks) {
    const std::uint32_t chunks = is_hierarchical(params) ? island_of_broadcast(params, ranks, 1) : 1;
    ScheduleBuilder builder(ranks, chunks * params.slices);
    const auto edges = is_hierarchical(params) ? edges_by_islands(ranks, chunks) : edges_of(params.shape, ranks);
    for (std::uint32_t t = 0; !edges.empty() && t <= edges.back().round + params.slices - 1; ++t)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            for (const Edge& edge : edges)
                if (edge.round + slice == t)
                    builder.send(edge.from, edge.to, ChunkId{slice * chunks + edge.chunk}, Op::copy, t);
    return std::move(builder).finish();
}

}   // namespace oscar
