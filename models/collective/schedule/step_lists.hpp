// Steps of a schedule grouped by timestep, by rank, or by the join that they wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// All groups lie in one flat array: memory is O(members + groups).
template <class Member>
class Groups {
public:
    Groups() = default;
    /// for_each(put) calls put(group, member) for each; it is called twice and must do the same both times.
    /// Members of a group keep the order in which they are put. `group` < groups.
    template <class ForEach>
    Groups(std::size_t groups, ForEach&& for_each) : first_(groups + 1) {
        for_each([&](std::size_t group, Member) { ++first_[group + 1]; });
        for (std::size_t g = 0; g < groups; ++g) first_[g + 1] += first_[g];
        members_.resize(first_.back());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for_each([&](std::size_t group, Member member) { members_[next[group]++] = member; });
    }

    /// The number of groups.
    std::size_t size() const { return first_.size() - 1; }
    std::span<const Member> operator[](std::size_t group) const {
        return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
    }

private:
    std::vector<std::uint32_t> first_ = {0};   ///< [group]: begin of its members in members_; then the end of the last
    std::vector<Member> members_;
};

using StepLists = Groups<StepId>;
using JoinLists = Groups<JoinId>;

/// Per timestep, its steps in the schedule's order.
StepLists steps_by_timestep(const Schedule& schedule);
/// Per participant, the steps that it sends, in the schedule's order.
StepLists steps_by_sender(const Schedule& schedule);
/// Per participant, the steps that it receives, in the order of timesteps, and in each in the schedule's order.
StepLists steps_by_receiver(const Schedule& schedule);
/// Per join, the steps that wait for it.
StepLists followers(const Schedule& schedule);
/// True if nothing waits for several steps at once.
bool waits_are_single(const Schedule& schedule);
/// Per step, the steps that wait for it, in the order of their joins. Precondition: waits_are_single().
StepLists followers_of_steps(const Schedule& schedule);
/// Per step, the joins that it is in.
JoinLists joins_of_steps(const Schedule& schedule);

/// The steps among `steps` that are in `timestep`. Precondition: `steps` are in the order of timesteps.
std::span<const StepId> of_timestep(const Schedule& schedule, std::span<const StepId> steps, Timestep timestep);

}   // namespace oscar
