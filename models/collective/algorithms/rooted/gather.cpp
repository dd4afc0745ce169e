#include "models/collective/algorithms/rooted/gather.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

/// A chunk on its way to rank 0.
struct Move {
    Rank from, to;
    std::uint32_t chunk, round;
};

/// Of a gather, in the order of rounds.
std::vector<Move> moves_of(RootedShape shape, std::uint32_t ranks) {
    std::vector<Move> moves;
    if (shape == RootedShape::direct) {
        for (std::uint32_t r = 1; r < ranks; ++r) moves.push_back({Rank{r}, Rank{0}, r, 0});
        return moves;
    }
    for (std::uint32_t round = 0, held = 1; held < ranks; ++round, held *= 2)
        for (std::uint32_t r = held; r < ranks; r += 2 * held)
            for (std::uint32_t chunk = r; chunk < std::min(r + held, ranks); ++chunk)
                moves.push_back({Rank{r}, Rank{r - held}, chunk, round});
    return moves;
}

/// `moves`: in the order of rounds.
Schedule schedule_of(const std::vector<Move>& moves, std::uint32_t ranks, std::uint32_t slices) {
    ScheduleBuilder builder(ranks, ranks * slices);
    for (std::uint32_t round = 0; round <= moves.back().round; ++round)
        for (std::uint32_t slice = 0; slice < slices; ++slice)
            for (const Move& move : moves)
                if (move.round == round)
                    builder.send(move.from, move.to, ChunkId{slice * ranks + move.chunk}, Op::copy, round);
    return std::move(builder).finish();
}

}   // namespace

Schedule make_schedule(const GatherToRootParams& params, std::uint32_t ranks) {
    return schedule_of(moves_of(params.shape, ranks), ranks, params.slices);
}

Schedule make_schedule(const ScatterFromRootParams& params, std::uint32_t ranks) {
    std::vector<Move> moves = moves_of(params.shape, ranks);
    const std::uint32_t last = moves.back().round;
    std::ranges::reverse(moves);
    for (Move& move : moves) move = {move.to, move.from, move.chunk, last - move.round};
    return schedule_of(moves, ranks, params.slices);
}

/// In a binomial tree a chunk passes a link for each set bit of its rank's number.
std::uint64_t rooted_messages(RootedShape shape, std::uint64_t ranks) {
    if (shape == RootedShape::direct) return ranks - 1;
    std::uint64_t sum = 0;
    for (std::uint64_t r = 1; r < ranks; ++r) sum += static_cast<std::uint64_t>(std::popcount(r));
    return sum;
}

}   // namespace oscar
