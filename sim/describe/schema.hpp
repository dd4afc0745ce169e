// JSON schemas (draft 7) of configurations and reports, made of their descriptions: for editors and checkers.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/describe/description.hpp"

namespace oscar {

/// The schema of the values at a place of a configuration. It has the ranges of numbers and the units of quantities,
/// but neither ranges of quantities nor rules between parameters. `kind: max` and `max` are both taken; without `kind`
/// a map has the parameters of the default.
nlohmann::ordered_json schema_of(const ValueDescription& value);

/// A map with these parameters and no others.
nlohmann::ordered_json schema_of(const std::vector<ParameterDescription>& parameters);

/// An object of a report: each parameter is there, and no other.
nlohmann::ordered_json report_schema_of(const std::vector<ParameterDescription>& parameters);

/// `schema` as a file of its own, with the draft that it is written in.
nlohmann::ordered_json as_schema_file(std::string_view title, const nlohmann::ordered_json& schema);

}   // namespace oscar
