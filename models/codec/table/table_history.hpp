// Parameters of the table history: how tables follow timesteps and iterations, for codecs whose tables are not sent.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "models/core/fields.hpp"

namespace oscar {

/// What the tables of partial sums are learnt from; final sums always have one of the reduced values of t-1 (T2).
enum class StepSource : std::uint8_t { per_link, rescaled, global };
constexpr auto choices(StepSource) {
    return std::array{
        Choice{"per_link", StepSource::per_link, "what passed on the same link in the same timestep of t-1 (T1)"},
        Choice{"rescaled", StepSource::rescaled, "the reduced values of t-1, scaled to sums of fewer ranks (T3)"},
        Choice{"global", StepSource::global, "the reduced values of t-1 as they are: one table for all timesteps"},
    };
}

/// Which timesteps share a table.
enum class TableSharing : std::uint8_t { each, power_of_two };
constexpr auto choices(TableSharing) {
    return std::array{
        Choice{"each", TableSharing::each, "none: each has its own"},
        Choice{"power_of_two", TableSharing::power_of_two, "those that carry sums of 1, 2, 3-4, 5-8, ... ranks"},
    };
}

/// How the magnitude of a sum of k of n ranks relates to that of all (source rescaled).
enum class Scaling : std::uint8_t { sqrt, linear };
constexpr auto choices(Scaling) {
    return std::array{
        Choice{"sqrt", Scaling::sqrt, "as sqrt(k / n): the ranks' gradients are independent"},
        Choice{"linear", Scaling::linear, "as k / n: the ranks' gradients are alike"},
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
    StepSource table_source = StepSource::per_link;
    TableSharing table_sharing = TableSharing::each;
    Scaling scaling = Scaling::sqrt;
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
        field("table_sharing", &P::table_sharing, "timesteps that share a table"),
        field("scaling", &P::scaling, "growth of partial sums with the number of ranks (table_source: rescaled)"),
        field("scale_jump", &P::scale_jump, "what becomes of the counts when the shared scale changes"),
    };
}
template <class P>
TableHistory stepwise_of(const P& params) {
    return {params.history, params.table_source, params.table_sharing, params.scaling, params.scale_jump};
}

}   // namespace oscar
