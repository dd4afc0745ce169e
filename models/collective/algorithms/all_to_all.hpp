// All-to-all by direct exchange.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct AllToAllParams : CollectiveParams {
    static constexpr Operation operation = Operation::all_to_all;
    static constexpr auto fields() { return fields_of<AllToAllParams>(); }
};

/// Transposes blocks: ranks^2 slices chunks, numbered row by row in each slice; rank r sends chunk j of its row r to
/// rank j, beginning with its successor. One timestep. Of a rank's bucket only its own row travels. Precondition: ranks
/// >= 2.
inline Schedule make_schedule(const AllToAllParams& params, std::uint32_t ranks) {
    Schedule schedule{ranks, ranks * ranks * params.slices, {}};
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        for (std::uint32_t away = 1; away < ranks; ++away)
            for (std::uint32_t r = 0; r < ranks; ++r) {
                const std::uint32_t to = (r + away) % ranks;
                schedule.steps.push_back(
                    {Rank{r}, Rank{to}, ChunkId{(slice * ranks + r) * ranks + to}, Op::copy, Timestep{0}});
            }
    return schedule;
}

}   // namespace oscar
