// Pieces of an HTML document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace oscar {

/// `text` with what HTML would read as markup escaped.
std::string escaped(std::string_view text);

/// A table whose first row holds the headings; columns of numbers alone stand to the right, others to the left. A click
/// on a heading sorts it where scripts run. Cells are text, not markup. The cells of a row are as many as the headings.
std::string html_table(std::string_view caption, const std::vector<std::vector<std::string>>& rows);

/// A chart with its title, legend and caption. `chart` is a description that charts.js knows.
std::string html_chart(std::string_view caption, const nlohmann::ordered_json& chart);

/// Data for the script of the page, in an element of its own.
std::string html_data(const nlohmann::ordered_json& data);

/// What a reader unfolds.
std::string html_details(std::string_view summary, const std::string& content);

}   // namespace oscar
