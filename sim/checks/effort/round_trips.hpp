// Round trips of repaired packets on an idle network.
#pragma once

#include <cstdint>

#include "models/network/topology/routes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The longest round trip between two ranks that exchange messages.
struct LongestRoundTrip {
    Rank from, to;
    Time time;
    Bytes buffer;        ///< of the slowest link on the path from `from` to `to`
    Bandwidth slowest;   ///< its rate
};

/// The least payload of the collective's full packets: the network's packet or, if its messages are smaller, a message
/// with a bit for each value. `elements`: values of a rank; 0 without values.
Bytes least_full_packet(const Parameters& parameters, std::uint64_t elements);

/// The longest round trip, from first bit to answer, of a packet of `payload` of the collective, or of a full one of
/// background traffic. Precondition: repair from end to end; every flow has a path, and one back.
LongestRoundTrip longest_round_trip(const Parameters& parameters, const Routes& routes, Bytes payload);

}   // namespace oscar
