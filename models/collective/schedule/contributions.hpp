// Number of ranks whose values each message of a schedule sums.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collective/schedule/holdings.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The number of ranks whose contributions a step carries, and whose its receiver holds of that chunk afterwards.
struct Contributions {
    std::uint32_t carried = 1, held = 1;
};

/// Per step. Precondition: the schedule runs in its order.
inline std::vector<Contributions> contributions(const Schedule& schedule) {
    std::vector<Contributions> result(schedule.steps.size());
    const StepsByChunk by_chunk(schedule);
    Holdings holdings(schedule);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        for (const StepId id : by_chunk.of(ChunkId{c})) {
            const Step& step = schedule.steps[id.value];
            const auto carried = holdings.of(step.from).count();
            holdings.apply(step);
            result[id.value] = {static_cast<std::uint32_t>(carried),
                                static_cast<std::uint32_t>(holdings.of(step.to).count())};
        }
        holdings.forget(schedule, by_chunk.of(ChunkId{c}));
    }
    return result;
}

}   // namespace oscar
