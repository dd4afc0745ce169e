// What a page says of a sweep.
#pragma once

#include <string>

#include "sim/sweep/sweep_results.hpp"

namespace oscar {

/// Most rows of the table of all points.
inline constexpr std::size_t most_rows_of_table = 5'000;

/// HTML: how far the sweep is, the fastest and the most gaining point of each method, charts of any two swept keys and
/// any two figures, whose controls sweep.js makes, all points in a table that sorts, and where they come from.
std::string sweep_section(const SweepResults& sweep);

}   // namespace oscar
