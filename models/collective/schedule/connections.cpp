#include "models/collective/schedule/connections.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace oscar {

std::vector<Connection> connections_of(const Schedule& schedule) {
    std::vector<Connection> connections;
    std::vector<std::optional<Connection>> last(schedule.participants());   // many send to one peer all the time
    for (const Step& step : schedule.steps) {
        const Connection connection{step.from, step.to, schedule.channel_of(step.chunk)};
        if (std::exchange(last[step.from.value], connection) != connection) connections.push_back(connection);
    }
    std::ranges::sort(connections);
    connections.erase(std::unique(connections.begin(), connections.end()), connections.end());
    return connections;
}

}   // namespace oscar
