#include "models/collective/schedule/stagger.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
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
        Schedule moved{old_.ranks, old_.chunks, {}, {}, old_.aggregators, old_.channels, {}};
        number_.resize(old_.steps.size());
        for (const std::uint32_t i : order()) {
            number_[i] = StepId{static_cast<std::uint32_t>(moved.steps.size())};
            Step step = old_.steps[i];
            moved.table_timesteps.push_back(step.timestep);
            step.timestep.value += slice(step) / in_flight_ * half_;
            step.after = join_of(i, moved.joins);
            moved.steps.push_back(step);
            if (old_.steps[i].timestep.value < half_) last_received_[{slice(step), step.to}] = number_[i];
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

    /// What the step waited for, or, where that was nothing, what its sender received last of an earlier slice's half.
    JoinId join_of(std::uint32_t i, Joins& joins) {
        const Step& step = old_.steps[i];
        if (step.after == JoinId{}) {
            if (slice(step) < in_flight_) return {};
            const auto before = last_received_.find({slice(step) - in_flight_, step.from});
            return before == last_received_.end() ? JoinId{} : joined({&before->second, 1}, joins);
        }
        if (const auto known = join_.find(step.after); known != join_.end()) return known->second;
        std::vector<StepId> members;
        for (const StepId id : old_.joins[step.after]) members.push_back(number_[id.value]);
        return join_[step.after] = joins.add(members);
    }

    /// The join of a slice's first steps at a rank, which they share.
    JoinId joined(std::span<const StepId> members, Joins& joins) {
        const auto [entry, fresh] = first_.try_emplace(members.front());
        if (fresh) entry->second = joins.add(members);
        return entry->second;
    }

    const Schedule& old_;
    std::uint32_t group_, in_flight_, half_;
    std::vector<StepId> number_;                                       ///< per old step, the new one
    std::map<JoinId, JoinId> join_;                                    ///< of the old joins that were moved
    std::map<StepId, JoinId> first_;                                   ///< by the step that it waits for
    std::map<std::pair<std::uint32_t, Rank>, StepId> last_received_;   ///< of a slice in its first half, by a rank
};

}   // namespace

Schedule staggered(const Schedule& schedule, std::uint32_t slices, std::uint32_t in_flight) {
    if (in_flight == 0 || in_flight >= slices) return schedule;
    return Stagger(schedule, slices, in_flight).make();
}

}   // namespace oscar
