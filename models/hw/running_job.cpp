#include "models/hw/running_job.hpp"

#include <optional>

namespace oscar {

std::vector<bool> receivers_of_one(const Schedule& schedule) {
    std::vector<bool> result(schedule.ranks, true);
    std::vector<std::optional<Rank>> sender(schedule.ranks);
    for (const Step& step : schedule.steps) {
        auto& known = sender[step.to.value];
        if (!known) known = step.from;
        else if (*known != step.from) result[step.to.value] = false;
    }
    return result;
}

}   // namespace oscar
