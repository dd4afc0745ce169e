#include "models/collective/schedule/closed_form.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "models/collective/schedule/step_lists.hpp"

namespace oscar {
namespace {

bool one_message_per_link_and_timestep(const Schedule& schedule) {
    const StepLists rounds = steps_by_timestep(schedule);
    std::vector<std::size_t> last_round(schedule.participants(), rounds.size());   // in which a rank has sent
    for (std::size_t t = 0; t < rounds.size(); ++t)
        for (const StepId id : rounds[t])
            if (std::exchange(last_round[schedule.steps[id.value].from.value], t) == t) return false;
    return true;
}

Time lock_step(const Schedule& schedule, const SharedEntries<StepCost>& costs) {
    std::vector<Time> ends(schedule.timesteps());   // of each round, first by itself, then from the beginning
    for (std::size_t i = 0; i < costs.size(); ++i) {
        Time& round = ends[schedule.steps[i].timestep.value];
        round = std::max(round, costs[i].total());
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    Time last;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const std::uint32_t round = schedule.steps[i].timestep.value;
        const Time begin = round > 0 ? ends[round - 1] : Time{};
        last = std::max({last, ends[round], begin + costs[i].total() + costs[i].after});
    }
    return last;
}

std::optional<Time> dependency_driven(const Schedule& schedule, const SharedEntries<StepCost>& costs) {
    using Connection = std::pair<Rank, std::uint32_t>;   // of a channel
    std::vector<Time> done(schedule.steps.size()), link_free(schedule.participants());
    std::vector<Connection> last_on(schedule.participants());
    Time last;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        Time issued;
        for (const StepId before : schedule.after(StepId{static_cast<std::uint32_t>(i)}))
            issued = std::max(issued, done[before.value]);
        Time& link = link_free[step.from.value];
        const Connection connection{step.to, schedule.channel_of(step.chunk)};
        const Connection previous = std::exchange(last_on[step.from.value], connection);
        if (previous != connection && issued + costs[i].lead < link) return std::nullopt;   // packets take turns
        link = std::max(issued + costs[i].lead, link) + costs[i].wire;
        done[i] = link + costs[i].path + costs[i].tail;
        last = std::max(last, done[i] + costs[i].after);
    }
    return last;
}

}   // namespace

std::optional<Time> closed_form(const Schedule& schedule, const SharedEntries<StepCost>& costs, Issue issue) {
    if (!one_message_per_link_and_timestep(schedule)) return std::nullopt;
    return issue == Issue::lock_step ? lock_step(schedule, costs) : dependency_driven(schedule, costs);
}

}   // namespace oscar
