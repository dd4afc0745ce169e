// What all endpoints of one collective hold in common and never change.
#pragma once

#include <cstdint>
#include <vector>

#include "models/collective/contributions.hpp"
#include "models/collective/number.hpp"
#include "models/collective/operation.hpp"
#include "models/collective/schedule.hpp"

namespace oscar {

struct Plan {
    Schedule schedule;
    Operation operation = Operation::all_reduce;
    std::vector<Contributions> contributions;   ///< per step
    std::vector<StepId> origin;                 ///< per step, the step whose message it may hand on as it came
    std::vector<bool> sent_again;               ///< per step, whether its sender sends that message in others too
    std::vector<std::uint32_t> addition;        ///< per step that adds: how many did before to the same place
    Number number = Number::integer;
    std::uint32_t bits = 32;                   ///< width of one rank's value; sums of integers widen
    std::vector<std::uint32_t> partial_sums;   ///< of how many ranks some step carries the sum, ascending, but of all
    std::vector<std::uint32_t> final_hops;     ///< per chunk, the steps that carry its final values

    Plan(Schedule schedule, Number number, std::uint32_t bits, Operation operation = Operation::all_reduce);
    /// Width of what a step carries, or of the values in the end: bits + ceil(log2 of the ranks summed).
    std::uint32_t width(StepId step) const;
    std::uint32_t final_width() const;
    /// Whether a step carries what all ranks are to end with; whether its receiver then holds what it is to end with.
    bool final_sum(StepId step) const;
    bool completes(StepId step) const;
    /// Whether a step adds to values that nobody has added to before.
    bool adds_first(StepId step) const;
};

}   // namespace oscar
