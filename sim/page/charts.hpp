// Charts of a run, as options of ECharts (https://echarts.apache.org). The look of a cause or a method is the same in
// each.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace oscar {

/// How a method is drawn in every chart: a colour of Okabe and Ito's, which colour-blind readers can tell apart, the
/// kind of a line and of its points, so that two methods of one colour differ too.
struct MethodLook {
    std::string_view colour, dash, symbol;
};

/// Its fixed look; a method without one of its own takes one by its name.
MethodLook look_of_method(std::string_view name);
nlohmann::ordered_json to_json(const MethodLook& look);

/// Gives a series the look of a method.
void use_look(nlohmann::ordered_json& series, std::string_view method);

/// What all charts have in common, without axes and series.
nlohmann::ordered_json empty_chart(const char* title);

/// An axis of numbers, its name `gap` pixels away.
nlohmann::ordered_json number_axis(const char* name, int gap);

/// A legend that scrolls, below the title.
nlohmann::ordered_json chart_legend();

/// Colours of a heat map of percentages, and their scale below it.
nlohmann::ordered_json heat_scale();

/// Time of each method, in us, stacked of the causes on its critical path.
nlohmann::ordered_json chart_of_times(const nlohmann::ordered_json& methods);

/// Utilisation of each link by each method, in percent, as a heat map; none without links.
std::optional<nlohmann::ordered_json> chart_of_links(const nlohmann::ordered_json& methods);

/// Time of each iteration, in us, a line for each method; none with fewer than two iterations.
std::optional<nlohmann::ordered_json> chart_of_iterations(const nlohmann::ordered_json& methods);

/// Time against relative L2 error, a point for each method; none where fewer than two have an error.
std::optional<nlohmann::ordered_json> chart_of_errors(const nlohmann::ordered_json& methods);

}   // namespace oscar
