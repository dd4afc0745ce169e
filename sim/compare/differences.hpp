// What differs between two JSON values, place by place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace oscar {

/// A value that differs; null where one side has none.
struct Difference {
    std::string place;   ///< dotted path; entries of lists by their `name`, else by their number
    nlohmann::ordered_json a, b;
};

/// In the order of `a`, then of what only `b` has. Entries of lists whose objects all have a `name` are matched by it.
/// The order of keys does not count.
std::vector<Difference> differences(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

}   // namespace oscar
