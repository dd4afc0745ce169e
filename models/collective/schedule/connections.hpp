// Connections of a schedule: who sends to whom, on which channel.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct Connection {
    Rank from, to;
    std::uint32_t channel = 0;
    friend auto operator<=>(const Connection&, const Connection&) = default;
};

/// The connections that the steps of a schedule use, each once, in order.
inline std::vector<Connection> connections_of(const Schedule& schedule) {
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
