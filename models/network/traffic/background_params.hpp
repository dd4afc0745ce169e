// Traffic of other hosts that shares the network with the collective.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/network/traffic/patterns.hpp"

namespace oscar {

using namespace literals;

/// A host behind the port of each sending rank has messages of one size, which come by a Poisson process and leave in
/// order; its packets take turns with the rank's packets.
struct BackgroundParams {
    double load = 0.3;
    TrafficPattern pattern;   ///< of ranks
    Bytes message = 64_KiB;
    std::vector<std::string> nodes = {};
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{
            field("load", &BackgroundParams::load,
                  "offered load as a share of the sender's fastest link, with headers; 0: no traffic", 0.0, 0.999),
            field("pattern", &BackgroundParams::pattern, "pattern of senders and receivers"),
            field("message", &BackgroundParams::message, "payload of each message", 1_B, 1_GiB),
            field("nodes", &BackgroundParams::nodes,
                  "sending ranks, as numbers and ranges like [0, 4-7]; none: all senders of the pattern"),
            field("seed", &BackgroundParams::seed, "seed of times and receivers"),
        };
    }
};

}   // namespace oscar
