#include "models/collective/schedule/window.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace oscar {

Schedule windowed(Schedule schedule, std::uint32_t slices, std::uint32_t window) {
    if (window >= slices) return schedule;
    const std::uint32_t group = schedule.chunks / slices;
    std::map<std::tuple<Rank, Rank, std::uint32_t, Op>, std::vector<StepId>> sent;   // in the order of the slices
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        Step& step = schedule.steps[id.value];
        std::vector<StepId>& before = sent[{step.from, step.to, step.chunk.value % group, step.op}];
        if (before.size() >= window) {
            const auto data = schedule.joins[step.after];
            std::vector<StepId> members(data.begin(), data.end());
            members.push_back(before[before.size() - window]);
            step.after = schedule.joins.add(members);
        }
        before.push_back(id);
    }
    return schedule;
}

}   // namespace oscar
