// Packets that have left their nodes, until the client of a network is told of them by an event.
#pragma once

#include "models/core/slots.hpp"
#include "models/core/units.hpp"

namespace oscar {

struct Departure {
    std::uint64_t tag = 0;
    std::uint32_t sequence = 0;
    Time begin, end;
};

}   // namespace oscar
