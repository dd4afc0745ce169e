// JSON as text for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace oscar {

/// The same value, an entry of an object or a list on each line; a list of numbers or texts alone is one line.
std::string json_text(const nlohmann::ordered_json& value);

}   // namespace oscar
