#include "models/collective/schedule/step_lists.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// Groups by key(step).
template <class Key>
StepLists group_by(const Schedule& schedule, std::size_t groups, Key key) {
    return {groups, [&](auto&& put) {
                for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) put(key(schedule.steps[i]), StepId{i});
            }};
}

/// Where `timestep` begins, or would begin, in `steps`. Where each timestep has as many, as on a ring, it is where the
/// first look goes; a search would touch many steps that are far from each other in memory.
std::size_t first_of_timestep(const Schedule& schedule, std::span<const StepId> steps, Timestep timestep) {
    const auto timestep_of = [&](StepId id) { return schedule.steps[id.value].timestep; };
    if (steps.empty()) return 0;
    const std::uint64_t timesteps = timestep_of(steps.back()).value + std::uint64_t{1};
    if (timestep.value >= timesteps) return steps.size();
    const std::size_t likely = timestep.value * steps.size() / timesteps;
    if (timestep_of(steps[likely]) == timestep && (likely == 0 || timestep_of(steps[likely - 1]) < timestep))
        return likely;
    return static_cast<std::size_t>(std::ranges::lower_bound(steps, timestep, {}, timestep_of) - steps.begin());
}

}   // namespace

StepLists steps_by_timestep(const Schedule& schedule) {
    return group_by(schedule, schedule.timesteps(), [](const Step& step) { return step.timestep.value; });
}

StepLists steps_by_sender(const Schedule& schedule) {
    return group_by(schedule, schedule.participants(), [](const Step& step) { return step.from.value; });
}

StepLists steps_by_receiver(const Schedule& schedule) {
    const StepLists rounds = steps_by_timestep(schedule);
    return {schedule.participants(), [&](auto&& put) {
                for (std::size_t t = 0; t < rounds.size(); ++t)
                    for (const StepId id : rounds[t]) put(schedule.steps[id.value].to.value, id);
            }};
}

StepLists followers(const Schedule& schedule) {
    return group_by(schedule, schedule.joins.size(), [](const Step& step) { return step.after.value; });
}

bool waits_are_single(const Schedule& schedule) {
    for (JoinId join; join.value < schedule.joins.size(); ++join.value)
        if (schedule.joins[join].size() > 1) return false;
    return true;
}

StepLists followers_of_steps(const Schedule& schedule) {
    const StepLists of_join = followers(schedule);
    return {schedule.steps.size(), [&](auto&& put) {
                for (JoinId join; join.value < schedule.joins.size(); ++join.value)
                    for (const StepId member : schedule.joins[join])
                        for (const StepId follower : of_join[join.value]) put(member.value, follower);
            }};
}

JoinLists joins_of_steps(const Schedule& schedule) {
    return {schedule.steps.size(), [&](auto&& put) {
                for (JoinId join; join.value < schedule.joins.size(); ++join.value)
                    for (const StepId member : schedule.joins[join]) put(member.value, join);
            }};
}

std::span<const StepId> of_timestep(const Schedule& schedule, std::span<const StepId> steps, Timestep timestep) {
    const auto timestep_of = [&](StepId id) { return schedule.steps[id.value].timestep; };
    const std::size_t first = first_of_timestep(schedule, steps, timestep);
    std::size_t end = first;
    while (end < steps.size() && timestep_of(steps[end]) == timestep) ++end;
    return steps.subspan(first, end - first);
}

}   // namespace oscar
