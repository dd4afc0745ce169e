// Livelock: packets are retransmitted without progress.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace oscar {

/// A flow that waits for news as long as this many timeouts is in a livelock, even before network.stall: without a
/// bound in timeouts, a short one fills network.stall with millions of retransmissions.
inline constexpr std::uint32_t most_timeouts = 1000;

/// Packets are sent again and again and nothing new is delivered. what() names the flow and its losses.
struct Livelock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}   // namespace oscar
