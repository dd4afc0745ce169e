// Exposure: whether work between two AllReduces adds to their time.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// Effect of the work between two AllReduces (planning, learning of tables) on the time of the next.
enum class Exposure : std::uint8_t { hidden, exposed };
constexpr auto choices(Exposure) {
    return std::array{Choice{"hidden", Exposure::hidden,
                             "overlapped with the forward and backward pass between two AllReduces: no time"},
                      Choice{"exposed", Exposure::exposed, "before the first step: part of the AllReduce's time"}};
}

}   // namespace oscar
