// Parameters of the table history: how tables follow timesteps and iterations, for codecs whose tables are not sent.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// Source of the tables of partial sums. Tables of final sums are always learnt from the reduced values of t-1.
enum class StepSource : std::uint8_t { per_link, rescaled, global };
constexpr auto choices(StepSource) {
    return std::array{
        Choice{"per_link", StepSource::per_link, "the values that the same link carried in the same timestep of t-1"},
        Choice{"rescaled", StepSource::rescaled, "the reduced values of t-1, scaled to sums of fewer ranks"},
        Choice{"global", StepSource::global, "the reduced values of t-1, unscaled: one table for all timesteps"},
    };
}

/// Which timesteps share a table.
enum class TableSharing : std::uint8_t { each, power_of_two };
constexpr auto choices(TableSharing) {
    return std::array{
        Choice{"each", TableSharing::each, "no sharing: one table per timestep"},
        Choice{"power_of_two", TableSharing::power_of_two, "one table for sums of 1, 2, 3-4, 5-8, ... ranks each"},
    };
}

/// Ratio of the magnitude of a sum of k ranks to that of the sum of all n (source rescaled).
enum class Scaling : std::uint8_t { sqrt, linear };
constexpr auto choices(Scaling) {
    return std::array{
        Choice{"sqrt", Scaling::sqrt, "sqrt(k / n) for k of n ranks, if their gradients are independent"},
        Choice{"linear", Scaling::linear, "k / n for k of n ranks, if their gradients are alike"},
    };
}

/// Treatment of the counts when the scale of the codes changes.
enum class ScaleJump : std::uint8_t { keep, reset, rotate };
constexpr auto choices(ScaleJump) {
    return std::array{
        Choice{"keep", ScaleJump::keep, "counts are kept"},
        Choice{"reset", ScaleJump::reset, "all tables are reset after a change by a factor of two or more"},
        Choice{"rotate", ScaleJump::rotate,
               "rows of magnitude shift by log2 of the change; a fraction of a row is shared between neighbours"},
    };
}

/// Rules by which tables follow timesteps and iterations. Source: docs/tables.md.
struct TableHistory {
    std::uint32_t history = 1;
    StepSource table_source = StepSource::per_link;
    TableSharing table_sharing = TableSharing::each;
    Scaling scaling = Scaling::sqrt;
    ScaleJump scale_jump = ScaleJump::keep;

    friend bool operator==(const TableHistory&, const TableHistory&) = default;
};

/// The fields of a parameter set that has members of these names.
template <class P>
constexpr auto stepwise_fields() {
    return Entries{
        field("history", &P::history,
              "bits by which older counts are shifted right each iteration; 64: last iteration only", 0, 64),
        field("table_source", &P::table_source, "source of the tables of partial sums"),
        field("table_sharing", &P::table_sharing, "timesteps that share a table"),
        field("scaling", &P::scaling, "growth of partial sums with the number of ranks (table_source: rescaled)"),
        field("scale_jump", &P::scale_jump, "treatment of the counts when the shared scale changes"),
    };
}
/// The history that a parameter set with members of these names describes.
template <class P>
TableHistory stepwise_of(const P& params) {
    return {params.history, params.table_source, params.table_sharing, params.scaling, params.scale_jump};
}

}   // namespace oscar
