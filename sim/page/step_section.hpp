// What a page says of the training step around the AllReduces of a run. Without steps each text is empty.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace oscar {

/// Passes and buckets of each method over time, as a description of a chart; none without steps.
std::optional<nlohmann::ordered_json> timeline_of_steps(const nlohmann::ordered_json& methods);

/// The same as HTML.
std::string chart_of_steps(const nlohmann::ordered_json& methods);

/// A sentence: the method with the shortest step, and its speed-up over `baseline`.
std::string headline_of_steps(const nlohmann::ordered_json& methods, const std::string& baseline);

/// Steps in microseconds: passes, communication, its exposed part, and the speed-up over `baseline`; the shortest
/// first.
std::string table_of_steps(const nlohmann::ordered_json& methods, const std::string& baseline);

}   // namespace oscar
