// Flits: the units of flow control that a packet is cut into.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// Most flits of a packet, by the numbers that they bear.
inline constexpr std::uint32_t most_packet_flits = 65'535;

/// A packet is known by its source and the cycle of its creation; a source creates one a cycle at most.
struct RouterFlit {
    Cycles created = 0;
    std::uint16_t from = 0, to = 0;   ///< nodes
    std::uint16_t sequence = 0;       ///< 0 is the head
    std::uint8_t coins = 0;           ///< random bits for its route, see RouterGrid::route
    bool tail = true;
    bool head() const { return sequence == 0; }
};

/// A packet that a node begins to send: its head, and how many flits it has.
struct RouterPacketStart {
    RouterFlit head;
    std::uint32_t flits = 1;
};

/// Buffers of `capacity` flits each, first in, first out.
class FlitBuffers {
public:
    FlitBuffers(std::size_t buffers, std::uint32_t capacity)
        : capacity_(capacity), flits_(buffers * capacity), fill_(buffers) {}

    /// The number of flits in a buffer.
    std::uint32_t size(std::size_t buffer) const { return fill_[buffer].count; }
    /// The oldest flit in a buffer. Precondition: size > 0.
    const RouterFlit& front(std::size_t buffer) const { return flits_[buffer * capacity_ + fill_[buffer].first]; }
    /// Precondition: size < capacity.
    void push(std::size_t buffer, const RouterFlit& flit) {
        Fill& fill = fill_[buffer];
        flits_[buffer * capacity_ + wrapped(fill.first + fill.count)] = flit;
        ++fill.count;
    }
    /// Precondition: size > 0.
    RouterFlit pop(std::size_t buffer) {
        Fill& fill = fill_[buffer];
        const RouterFlit flit = flits_[buffer * capacity_ + fill.first];
        fill.first = static_cast<std::uint16_t>(wrapped(fill.first + 1u));
        --fill.count;
        return flit;
    }

private:
    struct Fill {
        std::uint16_t first = 0, count = 0;
    };
    std::uint32_t wrapped(std::uint32_t i) const { return i >= capacity_ ? i - capacity_ : i; }

    std::uint32_t capacity_;
    std::vector<RouterFlit> flits_;
    std::vector<Fill> fill_;
};

}   // namespace oscar
