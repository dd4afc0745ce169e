// Exposure: whether work between two AllReduces adds to their time.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar::inline timing {

/// When work is done that follows from the AllReduce before and is needed by the next one.
enum class Exposure : std::uint8_t { hidden, exposed };
constexpr auto choices(Exposure) {
    return std::array{
        Choice{"hidden", Exposure::hidden, "behind the forward and backward pass between two AllReduces: no time"},
        Choice{"exposed", Exposure::exposed, "before the first step: part of the AllReduce's time"}};
}

}   // namespace oscar::inline timing
