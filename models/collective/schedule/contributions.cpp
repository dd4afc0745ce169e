#include "models/collective/schedule/contributions.hpp"

#include "models/collective/schedule/holdings.hpp"

namespace oscar {

std::vector<Contributions> contributions(const Schedule& schedule) {
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
