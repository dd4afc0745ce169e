#include "sim/page/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/compare/figures.hpp"

namespace oscar {

std::string three_digits(double value) {
    return std::abs(value) >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string in_microseconds(double ps) { return three_digits(ps * 1e-6); }

std::string cell_of(const nlohmann::ordered_json& value) {
    return value.is_number_float() ? three_digits(value.get<double>()) : text_of(value);
}

}   // namespace oscar
