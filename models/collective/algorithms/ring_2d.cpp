#include "models/collective/algorithms/ring_2d.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

std::uint32_t rows_of(const Ring2dParams& params, std::uint32_t ranks) {
    if (params.rows == 0)
        return largest_divisor(ranks, static_cast<std::uint32_t>(std::sqrt(static_cast<double>(ranks))));
    if (ranks % params.rows != 0)
        throw std::invalid_argument("rows: " + std::to_string(params.rows) + " do not divide " + std::to_string(ranks) +
                                    " ranks; choose a divisor, or 0");
    return params.rows;
}

}   // namespace

Schedule make_schedule(const Ring2dParams& params, std::uint32_t ranks) {
    const std::uint32_t rows = rows_of(params, ranks), columns = ranks / rows;
    ScheduleBuilder builder(ranks, ranks * params.slices);
    std::uint32_t timestep = 0;
    // Of a ring whose position p begins the reduce-scatter with part p-1, or all-gather with part p.
    const auto in_rows = [&](Op op) {
        for (std::uint32_t s = 0; s + 1 < columns; ++s, ++timestep)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice)
                for (std::uint32_t row = 0; row < rows; ++row)
                    ring_round(builder, ranks_from(row * columns, 1, columns), {slice * ranks, rows},
                               (op == Op::reduce ? -1 : 0) - std::int64_t{s}, op, timestep);
    };
    const auto in_columns = [&](Op op) {
        for (std::uint32_t s = 0; s + 1 < rows; ++s, ++timestep)
            for (std::uint32_t slice = 0; slice < params.slices; ++slice)
                for (std::uint32_t column = 0; column < columns; ++column)
                    ring_round(builder, ranks_from(column, columns, rows), {slice * ranks + column * rows},
                               (op == Op::reduce ? -1 : 0) - std::int64_t{s}, op, timestep);
    };
    in_rows(Op::reduce);
    in_columns(Op::reduce);
    in_columns(Op::copy);
    in_rows(Op::copy);
    return std::move(builder).finish();
}

}   // namespace oscar
