#include "models/collective/schedule/delta_gather.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace oscar {

std::vector<std::optional<StepId>> known_parts(const Schedule& schedule, const std::vector<Contributions>& all) {
    std::vector<std::optional<StepId>> result(schedule.steps.size());
    std::map<std::tuple<Rank, Rank, ChunkId>, StepId> exchanged;
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const std::tuple pair{std::min(step.from, step.to), std::max(step.from, step.to), step.chunk};
        if (all[i].carried < schedule.ranks) exchanged[pair] = StepId{i};
        else if (const auto found = exchanged.find(pair); found != exchanged.end()) result[i] = found->second;
    }
    return result;
}

}   // namespace oscar
