// Computations of ranks between messages: what a processor does before messages may go.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/index.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// It begins when its rank has started, has received `after` and has done `computed`, and its processor is free; in the
/// order in which they could begin. One of no time waits for no processor.
struct Computation {
    Rank rank;
    std::uint32_t processor = 0;   ///< of the rank
    Time time;
    std::vector<StepId> after = {};
    std::vector<std::uint32_t> computed = {};   ///< earlier ones, which its rank has done before
};

/// The computations of a job, and which of them each step waits for.
struct Computations {
    std::vector<Computation> all;
    std::vector<std::vector<std::uint32_t>> before_step;   ///< per step; empty where there are no computations
};

}   // namespace oscar
