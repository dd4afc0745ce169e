// Number of ranks whose values each message of a schedule sums.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The number of ranks whose contributions a step carries, and whose its receiver holds of that chunk afterwards.
struct Contributions {
    std::uint32_t carried = 1, held = 1;
};

/// Per step. Preconditions: the schedule runs in its order, and adds no contribution twice (find_problem()).
inline std::vector<Contributions> contributions(const Schedule& schedule) {
    std::vector<Contributions> result(schedule.steps.size());
    const StepsByChunk by_chunk(schedule);
    const auto own = [&](Rank rank) { return rank.value < schedule.ranks ? 1u : 0u; };   // aggregators have none
    std::vector<std::uint32_t> held;
    for (std::uint32_t r = 0; r < schedule.participants(); ++r) held.push_back(own(Rank{r}));
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) {
            const Step& step = schedule.steps[id.value];
            const std::uint32_t carried = held[step.from.value];
            std::uint32_t& there = held[step.to.value];
            there = carried + (step.op == Op::reduce ? there : 0);
            result[id.value] = {carried, there};
        }
        for (const StepId id : steps) {
            const Rank to = schedule.steps[id.value].to;
            held[to.value] = own(to);
        }
    }
    return result;
}

}   // namespace oscar
