// Plan of a collective: the constant data that all its participants share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/collective/endpoint/element_type.hpp"
#include "models/collective/schedule/contributions.hpp"
#include "models/collective/schedule/operation.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct Plan {
    Schedule schedule;
    Operation operation = Operation::all_reduce;
    std::vector<Contributions> contributions;   ///< per step
    /// Per step, that which brought a part of what this one carries, so that only the delta travels
    /// (delta_gather.hpp).
    std::vector<std::optional<StepId>> known;
    std::vector<bool> exchanged;           ///< per step, whether it brings such a part
    std::vector<StepId> origin;            ///< per step, the step whose message it may hand on as it came
    std::vector<bool> sent_again;          ///< per step, whether its sender sends that message in others too
    std::vector<std::uint32_t> addition;   ///< per step that adds: how many did before to the same place
    ElementType number = ElementType::integer;
    std::uint32_t bits = 32;                   ///< width of one rank's value; sums of integers widen
    std::vector<std::uint32_t> partial_sums;   ///< of how many ranks some step carries the sum, ascending, but of all
    std::vector<std::uint32_t> final_hops;     ///< per chunk, the steps that carry its final values

    /// `delta_gather`: of what both ends of a step know only the rest is sent. Floats, whose differences are not exact,
    /// are sent whole.
    Plan(Schedule schedule, ElementType number, std::uint32_t bits, Operation operation = Operation::all_reduce,
         bool delta_gather = false);
    /// Of how many ranks a step's symbols are the sum.
    std::uint32_t addends(StepId step) const;
    /// Width of what a step carries, or of the values in the end: bits + ceil(log2 of the ranks summed).
    std::uint32_t width(StepId step) const;
    std::uint32_t final_width() const;
    /// Whether a step's symbols are what all ranks are to end with; whether its receiver then holds what it is to end
    /// with.
    bool final_sum(StepId step) const;
    bool completes(StepId step) const;
    /// Whether the receiver adds what comes to what it has, and has to decode it before anything can follow.
    bool adds(StepId step) const { return schedule.steps[step.value].op == Op::reduce || known[step.value]; }
    /// Whether it adds to values that have to be read for that: nobody has added to them before, or a delta goes on
    /// with them.
    bool adds_first(StepId step) const;
};

}   // namespace oscar
