// Livelock: packets are retransmitted without progress.
#pragma once

#include <stdexcept>

namespace oscar::inline network {

/// Packets are sent again and again and nothing new is delivered. what() names the flow and its losses.
struct Livelock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}   // namespace oscar::inline network
