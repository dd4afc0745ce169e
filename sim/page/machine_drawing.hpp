// The machine of a run as a drawing.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace oscar {

/// Most nodes that a drawing shows.
inline constexpr std::size_t most_nodes_drawn = 400;

/// Ranks in a row, switches above by their distance from ranks, and a line for each cable that any method used, as wide
/// as its busier direction was utilised by the method that used it most. None without links or with more nodes.
std::optional<nlohmann::ordered_json> drawing_of_machine(const nlohmann::ordered_json& methods);

}   // namespace oscar
