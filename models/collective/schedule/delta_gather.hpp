// Partial sums that both ends of a step already hold, from which a final sum can be sent as a difference.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "models/collective/schedule/contributions.hpp"

namespace oscar {

/// Per step that carries a difference from a partial sum, the step that brought that; nothing is held where no step
/// does.
class DeltaBases {
public:
    std::optional<StepId> operator[](std::size_t step) const {
        return step < bases_.size() ? bases_[step] : std::nullopt;
    }
    void set(std::size_t step, StepId base) {
        if (step >= bases_.size()) bases_.resize(step + 1);
        bases_[step] = base;
    }
    auto begin() const { return bases_.begin(); }   ///< of those up to the last that carries one
    auto end() const { return bases_.end(); }

private:
    std::vector<std::optional<StepId>> bases_;
};

/// Per step that carries the sum of all ranks, the last step before it in which the same two ranks, in either
/// direction, exchanged a sum of fewer ranks of the same chunk. Both hold that sum, so its difference to the final one
/// says as much, and is a sum of the other ranks only. Precondition: `all` are the contributions of the schedule.
inline DeltaBases delta_bases(const Schedule& schedule, const ContributionsOfSteps& all) {
    DeltaBases result;
    std::map<std::tuple<Rank, Rank, ChunkId>, StepId> exchanged;
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const std::tuple pair{std::min(step.from, step.to), std::max(step.from, step.to), step.chunk};
        if (all[i].carried < schedule.ranks) exchanged[pair] = StepId{i};
        else if (const auto found = exchanged.find(pair); found != exchanged.end()) result.set(i, found->second);
    }
    return result;
}

}   // namespace oscar
