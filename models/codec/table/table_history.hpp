// Parameters of the table history: how tables follow timesteps and iterations, for codecs whose tables are not sent.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "models/core/fields.hpp"

namespace oscar {

/// What the tables of partial sums are learnt from; final sums always have one of the reduced values of t-1 (T2).
enum class StepSource : std::uint8_t { transmitted, rescaled, reduced };
constexpr auto choices(StepSource) {
    return std::array{
        Choice{"transmitted", StepSource::transmitted, "what passed on the same link in the same timestep of t-1 (T1)"},
        Choice{"rescaled", StepSource::rescaled, "the reduced values of t-1, scaled to sums of fewer ranks (T3)"},
        Choice{"reduced", StepSource::reduced, "the reduced values of t-1 as they are: one table for all timesteps"},
    };
}

/// Which timesteps share a table.
enum class StepGroups : std::uint8_t { each, doublings };
constexpr auto choices(StepGroups) {
    return std::array{
        Choice{"each", StepGroups::each, "none: each has its own"},
        Choice{"doublings", StepGroups::doublings, "those that carry sums of 1, 2, 3-4, 5-8, ... ranks"},
    };
}

/// How the magnitude of a sum of k of n ranks relates to that of all (source rescaled).
enum class Growth : std::uint8_t { independent, aligned };
constexpr auto choices(Growth) {
    return std::array{
        Choice{"independent", Growth::independent, "as sqrt(k / n): the ranks' gradients are independent"},
        Choice{"aligned", Growth::aligned, "as k / n: the ranks' gradients are alike"},
    };
}

/// What happens to counts when the scale of the codes changes.
enum class ScaleJump : std::uint8_t { keep, reset, rotate };
constexpr auto choices(ScaleJump) {
    return std::array{
        Choice{"keep", ScaleJump::keep, "nothing"},
        Choice{"reset", ScaleJump::reset, "all tables are forgotten at a change by a factor of two or more"},
        Choice{"rotate", ScaleJump::rotate,
               "rows of magnitude move by log2 of the change, the fraction of a row by sharing"},
    };
}

/// Source: docs/model.md 4.
struct TableHistory {
    std::uint32_t history = 1;
    StepSource table_source = StepSource::transmitted;
    StepGroups step_groups = StepGroups::each;
    Growth growth = Growth::independent;
    ScaleJump scale_jump = ScaleJump::keep;

    friend bool operator==(const TableHistory&, const TableHistory&) = default;
};

/// The fields of a parameter set that has members of these names.
template <class P>
constexpr auto stepwise_fields() {
    return std::tuple{
        field("history", &P::history,
              "bits by which older counts are shifted right each iteration; 64: last iteration only", 0, 64),
        field("table_source", &P::table_source, "what tables of partial sums are learnt from"),
        field("step_groups", &P::step_groups, "which timesteps share a table"),
        field("growth", &P::growth, "of partial sums (table_source rescaled)"),
        field("scale_jump", &P::scale_jump, "what becomes of the counts when the shared scale changes"),
    };
}
template <class P>
TableHistory stepwise_of(const P& params) {
    return {params.history, params.table_source, params.step_groups, params.growth, params.scale_jump};
}

}   // namespace oscar
