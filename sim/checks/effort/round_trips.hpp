// Round trips of repaired packets on an idle network.
#pragma once

#include <cstdint>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::inline checks {

/// Between two ranks that exchange messages.
struct LongestRoundTrip {
    Rank from, to;
    Time time;
    Bytes buffer;        ///< of the slowest link on the way there
    Bandwidth slowest;   ///< its rate
};

/// The payload that the collective's packets have at least where they are full: that of the network or, if its messages
/// are smaller, of a message with a bit for each value. `elements`: values of a rank; 0 without values.
Bytes least_full_packet(const Parameters& parameters, std::uint64_t elements);

/// The longest that a packet of `payload` of the collective, or a full one of background traffic, can have, from its
/// first bit to its answer. Precondition: repair from end to end; every flow has a path, and one back.
LongestRoundTrip longest_round_trip(const Parameters& parameters, const Routes& routes, Bytes payload);

}   // namespace oscar::inline checks
