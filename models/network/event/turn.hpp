// Turn: the place of a queue in the round robin of a link.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "models/core/units.hpp"

namespace oscar {

/// The place of a queue's head among the queues that wait for a link: round robin in the order in which they began to
/// wait, the smallest first. A queue begins to wait when its head may leave; one that has been served takes its place
/// after all that wait when its packet's last bit has left, and after what comes at that instant. Of heads that come at
/// one instant the one of the smaller `order` is first.
struct Turn {
    Time since;
    bool again = false;   ///< since its last packet has left
    std::uint64_t order = 0;
    static constexpr Time never_left{-1};   ///< of a queue that has not been served

    /// The turn of a head that may leave from `eligible` on, in a queue whose last packet `left` the link.
    static Turn of(Time eligible, Time left, std::uint64_t order) {
        return {std::max(eligible, left), left >= eligible, order};
    }
    friend auto operator<=>(const Turn&, const Turn&) = default;
};

}   // namespace oscar
