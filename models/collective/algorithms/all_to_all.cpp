#include "models/collective/algorithms/all_to_all.hpp"

namespace oscar {

Schedule make_schedule(const AllToAllParams& params, std::uint32_t ranks) {
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
