// Columns and figures of the tables for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oscar::inline report {

using Row = std::vector<std::string>;

/// Rows below their headings, equally long: the first column to the left, the others to the right.
std::string aligned(const std::vector<Row>& rows);

std::string microseconds(std::int64_t ps);   ///< 1500000 is "1.500"
std::string percent(double share);           ///< 0.125 is "12.5"

}   // namespace oscar::inline report
