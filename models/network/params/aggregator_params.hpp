// Parameters of in-network aggregation in a switch.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

/// Each adder is a tree that sums one value of all children of the switch.
struct AggregatorParams {
    std::uint32_t adders = 64, latency = 16, slots = 128;
    Frequency clock = 1_GHz;
    double link_share = 1;
    static constexpr auto fields() {
        using P = AggregatorParams;
        return Entries{
            field("adders", &P::adders, "values per cycle, each summed over all children", 1u, 65'536u),
            field("latency", &P::latency, "cycles from a value's entry to its sum", 0u, 10'000u),
            field("slots", &P::slots,
                  "chunks that the switch holds at once, each from its first packet until its sum has left to all "
                  "children; senders wait for a free slot",
                  1u, 65'535u),
            field("clock", &P::clock, "clock of the adders", 1_MHz, 10_GHz),
            field("link_share", &P::link_share,
                  "part of a link's rate that messages to and from an adding switch reach; their protocol takes the "
                  "rest, which counts as header",
                  0.01, 1.0),
        };
    }
};

}   // namespace oscar
