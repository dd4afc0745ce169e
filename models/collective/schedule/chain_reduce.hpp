// Reduce to one rank, and a shift to the next rank: schedules that only compressors use.
#pragma once

#include "models/collective/schedule/builder.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// A reduce to `root` along a chain that begins at the rank after it: each rank adds its own and sends the sum on,
/// chunk c one timestep after chunk c-1. chunks (ranks-1) steps. Precondition: ranks >= 2, root < ranks.
inline Schedule make_chain_reduce(std::uint32_t ranks, std::uint32_t root, std::uint32_t chunks) {
    ScheduleBuilder builder(ranks, chunks);
    const auto rank_at = [&](std::uint32_t place) { return Rank{(root + 1 + place) % ranks}; };
    for (std::uint32_t timestep = 0; timestep + 1 < ranks - 1 + chunks; ++timestep)
        for (std::uint32_t place = 0; place + 1 < ranks; ++place)
            if (timestep >= place && timestep - place < chunks)
                builder.send(rank_at(place), rank_at(place + 1), ChunkId{timestep - place}, Op::reduce, timestep);
    return std::move(builder).finish();
}

/// Rank r sends chunk r to the next rank, all in one timestep. Precondition: ranks >= 2.
inline Schedule make_shift(std::uint32_t ranks) {
    Schedule schedule{ranks, ranks, {}};
    for (std::uint32_t r = 0; r < ranks; ++r)
        schedule.steps.push_back({Rank{r}, Rank{(r + 1) % ranks}, ChunkId{r}, Op::copy, Timestep{0}});
    return schedule;
}

}   // namespace oscar
