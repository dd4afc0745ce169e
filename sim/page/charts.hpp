// Charts of a run, as options of ECharts (https://echarts.apache.org). The look of a cause or a method is the same in
// each.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace oscar {

/// The fixed colour of a method: of Okabe and Ito's, which colour-blind readers can tell apart; those without one of
/// their own take one by their name.
std::string_view colour_of_method(std::string_view name);

/// Time of each method, in us, stacked of the causes on its critical path.
nlohmann::ordered_json chart_of_times(const nlohmann::ordered_json& methods);

/// Utilisation of each link by each method, in percent, as a heat map; none without links.
std::optional<nlohmann::ordered_json> chart_of_links(const nlohmann::ordered_json& methods);

/// Time of each iteration, in us, a line for each method; none with fewer than two iterations.
std::optional<nlohmann::ordered_json> chart_of_iterations(const nlohmann::ordered_json& methods);

/// Time against relative L2 error, a point for each method; none where fewer than two have an error.
std::optional<nlohmann::ordered_json> chart_of_errors(const nlohmann::ordered_json& methods);

}   // namespace oscar
