#include "models/collective/algorithms/all_reduce/ring_2d.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "models/collective/algorithms/all_reduce/ring_nd.hpp"
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
    const std::uint32_t rows = rows_of(params, ranks);
    return make_rings(std::array{rows, ranks / rows}, ranks, params.slices);
}

}   // namespace oscar
