#include "models/predict/link_sharing.hpp"

#include <optional>
#include <vector>

#include "models/collective/schedule/step_lists.hpp"

namespace oscar {

bool shares_links(const Schedule& schedule, const Routes& routes, Issue issue) {
    if (routes.sprays() || routes.topology().gpus_per_nic > 1) return true;
    struct User {
        std::size_t round;
        std::uint32_t who;   ///< step, or sender
    };
    const bool in_rounds = issue == Issue::lock_step;
    const StepLists rounds = steps_by_timestep(schedule);
    IndexedVector<EdgeId, std::optional<User>> last(routes.topology().edges.size());
    for (std::size_t t = 0; t < rounds.size(); ++t)
        for (const StepId id : rounds[t]) {
            const Step& step = schedule.steps[id.value];
            const User user{in_rounds ? t : 0, in_rounds ? id.value : step.from.value};
            for (const Hop& hop : routes.path(step.from, step.to)) {
                auto& previous = last[hop.edge];
                if (previous && previous->round == user.round && previous->who != user.who) return true;
                previous = user;
            }
        }
    return false;
}

}   // namespace oscar
