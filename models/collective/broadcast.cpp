#include "models/collective/broadcast.hpp"

#include <algorithm>

namespace oscar {

Schedule make_tree_broadcast(std::uint32_t ranks) {
    Schedule schedule{ranks, 1, {}};
    std::uint32_t timestep = 0;
    for (std::uint32_t half = 1; half < ranks; half *= 2, ++timestep)
        for (std::uint32_t r = 0; r < std::min(half, ranks - half); ++r) {
            Step step{Rank{r}, Rank{r + half}, ChunkId{0}, Op::copy, Timestep{timestep}, {}};
            if (r > 0) step.after.push_back(StepId{r - 1});   // step i brings the chunk to rank i + 1
            schedule.steps.push_back(std::move(step));
        }
    return schedule;
}

}   // namespace oscar
