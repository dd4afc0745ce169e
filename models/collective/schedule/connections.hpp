// Connections of a schedule: who sends to whom, on which channel.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct Connection {
    Rank from, to;
    std::uint32_t channel = 0;
    friend auto operator<=>(const Connection&, const Connection&) = default;
};

/// The connections that the steps of a schedule use, each once, in order.
std::vector<Connection> connections_of(const Schedule& schedule);

}   // namespace oscar
