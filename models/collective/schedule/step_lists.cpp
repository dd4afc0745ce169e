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
    return {std::ranges::lower_bound(steps, timestep, {}, timestep_of),
            std::ranges::upper_bound(steps, timestep, {}, timestep_of)};
}

}   // namespace oscar
