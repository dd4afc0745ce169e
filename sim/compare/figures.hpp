// Figures in a report that was read, of whatever version: what is missing is 0 or a dash.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/report/causes/bottleneck.hpp"

namespace oscar {

/// The number at `key` of an object; 0 where there is none.
double figure_in(const nlohmann::ordered_json& object, std::string_view key);

/// The part of a method's critical path that a cause takes, in us; 0 where the report has none.
double microseconds_of(const nlohmann::ordered_json& method, const Bottleneck& cause);

/// A value as text: strings as they are, numbers with at most six digits, null as a dash.
std::string text_of(const nlohmann::ordered_json& value);

}   // namespace oscar
