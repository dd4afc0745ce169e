// Counters of what a link has carried.
#pragma once

#include <cstdint>
#include <string>

#include "models/core/spans.hpp"

namespace oscar {

/// The use of a link since the last clear.
struct LinkUse {
    std::string name;   ///< "rank0->switch0"
    Spans busy;         ///< when bits were on its sender's side
    std::uint64_t packets = 0, wire_bytes = 0, flits = 0;
};

}   // namespace oscar
