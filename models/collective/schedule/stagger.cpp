#include "models/collective/schedule/stagger.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace oscar {
namespace {

/// The move of one schedule: old numbers in, new ones out.
class Stagger {
public:
    Stagger(const Schedule& schedule, std::uint32_t slices, std::uint32_t in_flight)
        : old_(schedule), group_(schedule.chunks / slices), in_flight_(in_flight), half_(schedule.timesteps() / 2) {}

    Schedule make() {
        Schedule moved{old_.ranks, old_.chunks, {}, {}, old_.aggregators, old_.channels, {}, old_.island_switches};
        number_.resize(old_.steps.size());
        for (const std::uint32_t i : order()) {
            number_[i] = StepId{static_cast<std::uint32_t>(moved.steps.size())};
            Step step = old_.steps[i];
            moved.table_timesteps.push_back(step.timestep);
            step.timestep.value += slice(step) / in_flight_ * half_;
            step.after = join_of(i, moved.joins);
            moved.steps.push_back(step);
            if (old_.steps[i].timestep.value < half_) note_received(i);
        }
        return moved;
    }

private:
    std::uint32_t slice(const Step& step) const { return step.chunk.value / group_; }

    /// By new timestep; in one, earlier slices, whose sums others wait for, come first.
    std::vector<std::uint32_t> order() const {
        std::vector<std::uint32_t> order(old_.steps.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, {}, [this](std::uint32_t i) {
            const Step& step = old_.steps[i];
            return std::pair(step.timestep.value + slice(step) / in_flight_ * half_, slice(step));
        });
        return order;
    }

    void note_received(std::uint32_t i) {
        const Step& step = old_.steps[i];
        Received& received = received_[{slice(step), step.to}];
        if (!received.steps.empty() && received.timestep < step.timestep) received.steps.clear();
        received.timestep = step.timestep;
        received.steps.push_back(number_[i]);
    }

    /// What the step waited for, or, where that was nothing, all that its sender received last of an earlier slice's
    /// half.
    JoinId join_of(std::uint32_t i, Joins& joins) {
        const Step& step = old_.steps[i];
        if (step.after == JoinId{}) return slice(step) < in_flight_ ? JoinId{} : join_of_first(step, joins);
        const auto [entry, fresh] = join_.try_emplace(step.after);
        if (!fresh) return entry->second;
        std::vector<StepId> members;
        for (const StepId id : old_.joins[step.after]) members.push_back(number_[id.value]);
        return entry->second = joins.add(members);
    }

    /// That of a slice's first steps at a rank, which share it.
    JoinId join_of_first(const Step& step, Joins& joins) {
        Received& received = received_[{slice(step) - in_flight_, step.from}];
        if (!received.join) received.join = joins.add(received.steps);
        return *received.join;
    }

    /// In the first half of a slice, by a rank.
    struct Received {
        Timestep timestep{};               ///< the last in which it received anything
        std::vector<StepId> steps = {};    ///< of that timestep
        std::optional<JoinId> join = {};   ///< of them, when somebody waits
    };
    const Schedule& old_;
    std::uint32_t group_, in_flight_, half_;
    std::vector<StepId> number_;      ///< per old step, the new one
    std::map<JoinId, JoinId> join_;   ///< of the old joins that were moved
    std::map<std::pair<std::uint32_t, Rank>, Received> received_;
};

}   // namespace

Schedule staggered(const Schedule& schedule, std::uint32_t slices, std::uint32_t in_flight) {
    if (in_flight == 0 || in_flight >= slices) return schedule;
    return Stagger(schedule, slices, in_flight).make();
}

}   // namespace oscar
