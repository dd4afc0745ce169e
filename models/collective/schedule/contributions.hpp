// Number of ranks whose values each message of a schedule sums.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"
#include "models/core/narrow_vector.hpp"

namespace oscar {

/// The number of ranks whose contributions a step carries, and whose its receiver holds of that chunk afterwards.
struct Contributions {
    std::uint32_t carried = 1, held = 1;
};

/// The contributions of each step.
class ContributionsOfSteps {
public:
    explicit ContributionsOfSteps(std::size_t steps = 0) : carried_(steps), held_(steps) {}
    Contributions operator[](std::size_t step) const { return {carried_[step], held_[step]}; }
    void set(std::size_t step, Contributions contributions) {
        carried_.set(step, contributions.carried);
        held_.set(step, contributions.held);
    }
    void push_back(Contributions contributions) {
        carried_.push_back(contributions.carried);
        held_.push_back(contributions.held);
    }
    std::size_t size() const { return carried_.size(); }

private:
    NarrowVector carried_, held_;
};

/// Of a schedule with scratch: a result is complete with the last of its addends in their order.
inline ContributionsOfSteps contributions_in_scratch(const Schedule& schedule) {
    ContributionsOfSteps result(schedule.steps.size());
    const auto own = [&](JoinId sum) { return schedule.scratch->without_own[sum.value] ? 0u : 1u; };
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        std::uint32_t carried = own(schedule.steps[i].after);
        for (const StepId before : schedule.after(StepId{i})) carried += result[before.value].carried;
        result.set(i, {carried, carried});
    }
    for (const JoinId sum : schedule.scratch->results) {
        std::uint32_t held = own(sum);
        for (const StepId id : schedule.joins[sum]) {
            held += result[id.value].carried;
            result.set(id.value, {result[id.value].carried, held});
        }
    }
    return result;
}

/// Per step. Preconditions: the schedule runs in its order, and adds no contribution twice (find_problem()).
inline ContributionsOfSteps contributions(const Schedule& schedule, const StepsByChunk& by_chunk) {
    if (schedule.scratch) return contributions_in_scratch(schedule);
    ContributionsOfSteps result(schedule.steps.size());
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
            result.set(id.value, {carried, there});
        }
        for (const StepId id : steps) {
            const Rank to = schedule.steps[id.value].to;
            held[to.value] = own(to);
        }
    }
    return result;
}

}   // namespace oscar
