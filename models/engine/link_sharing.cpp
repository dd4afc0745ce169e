#include "models/engine/link_sharing.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace oscar {

bool shares_links(const Schedule& schedule, const Routes& routes, Issue issue) {
    if (routes.sprays()) return true;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> user;   // of each link and round: step, or sender
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const bool rounds = issue == Issue::lock_step;
        const std::uint32_t round = rounds ? step.timestep.value : 0, who = rounds ? i : step.from.value;
        for (const Hop& hop : routes.path(step.from, step.to))
            if (user.try_emplace({hop.edge, round}, who).first->second != who) return true;
    }
    return false;
}

}   // namespace oscar
