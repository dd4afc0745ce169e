// Charts of a run, as descriptions that charts.js turns into specifications of Vega: {"kind": ..., "title": ..., data}.
// The look of a cause or a method is the same in each.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace oscar {

/// Look of a method in every chart: a colour of Okabe and Ito's, which colour-blind readers can tell apart, the kind of
/// line (solid, dashed, dotted) and the symbol (a shape of Vega), so that two methods of one colour differ too.
struct MethodLook {
    std::string_view colour, dash, symbol;
};

/// Its fixed look; a method without one of its own takes one by its name.
MethodLook look_of_method(std::string_view name);

/// A series without points: name and look of a method.
nlohmann::ordered_json series_of_method(const std::string& name);

/// A chart of lines without series over axes with these titles.
nlohmann::ordered_json line_chart(const char* title, const char* x, const char* y);

/// A heat map of percentages without cells.
nlohmann::ordered_json heat_map(const char* title);

/// Names of methods.
nlohmann::ordered_json names_of(const nlohmann::ordered_json& methods);

/// Time of each method, in us, stacked of the causes on its critical path; its time and error stand behind the bar.
nlohmann::ordered_json chart_of_times(const nlohmann::ordered_json& methods);

/// Utilisation of each link by each method, in percent, as a heat map of at most `most_links_of_chart` links, the
/// busiest; none without links.
inline constexpr std::size_t most_links_of_chart = 64;
std::optional<nlohmann::ordered_json> chart_of_links(const nlohmann::ordered_json& methods);

/// Time of each iteration, in us, a line for each method; none with fewer than two iterations.
std::optional<nlohmann::ordered_json> chart_of_iterations(const nlohmann::ordered_json& methods);

/// Time against relative L2 error, a point for each method with an error above 0; none with fewer than three different
/// errors, to three digits: the bars say as much.
std::optional<nlohmann::ordered_json> chart_of_errors(const nlohmann::ordered_json& methods);

}   // namespace oscar
