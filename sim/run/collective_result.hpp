// The result of one collective on the machine: what was observed, and what came before and after it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/report/metrics.hpp"

namespace oscar {

/// Parts of the result that are not in an outcome.
struct Surroundings {
    std::optional<Time> closed_form;                  ///< of its steps
    Preparation scale_exchange, boundary_broadcast;   ///< before it
    CriticalPath kernels;                             ///< of the GPU, before and after it
    std::uint64_t elements = 0;                       ///< values of a rank's gradient, whose bytes bandwidths count
    CriticalPath learning = {};                       ///< of the engines' tables, before it
};

/// The result of a collective of `ranks` ranks: times, bytes and shares of the outcome, with the times and bytes of its
/// surroundings.
IterationResult result_of(const Outcome& outcome, const Plan& plan, std::uint32_t ranks,
                          const Surroundings& surroundings);

}   // namespace oscar
