// Deadlock report: the packets of a network that wait for one another's room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/units.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// A packet that waits for credit.
struct CreditWait {
    std::uint64_t tag = 0;        ///< of its message
    std::uint32_t sequence = 0;   ///< within the message
    Hop hop;                      ///< that it wants to take
    Bytes needs, free;            ///< its size on the wire; room that the buffer at the hop's end still has
    bool paused = false;          ///< halted by a pause frame, whether there is room or not
    bool answer = false;          ///< it is an answer to the sender of that message
};

/// A chain of waits: the room that each packet lacks is held by other packets, whose first in turn is the next one.
struct DeadlockReport {
    std::vector<CreditWait> chain;
    std::optional<std::size_t> closes_at;   ///< the last waits for the one at this index: a cycle; else for nobody
};

}   // namespace oscar
