// Numbers of a page as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace oscar {

/// Three significant digits, or all digits before the point: 5.69e-08, 0.0471, 38.1, 12346.
std::string three_digits(double value);

/// Picoseconds in microseconds, with three_digits and without the unit.
std::string in_microseconds(double ps);

/// A figure as the cell of a table: three_digits of a fraction, all digits of an integer, a dash for null.
std::string cell_of(const nlohmann::ordered_json& value);

}   // namespace oscar
