// Values held against a JSON schema before they are used.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace oscar {

/// The first value whose type is not that of `schema`, like "methods[0].links: is a number, and a list is due"; none if
/// all fit. Understands what schema.hpp makes: type, enum (as a text), anyOf, properties, additionalProperties, items.
/// Keys that are missing, keys that the schema does not know, ranges and patterns are not looked at: files of other
/// versions differ in these. `place`: of the value, empty for a whole document.
std::optional<std::string> find_mismatch(const nlohmann::ordered_json& value, const nlohmann::ordered_json& schema,
                                         const std::string& place = "");

}   // namespace oscar
