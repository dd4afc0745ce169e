#include "sim/page/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace oscar {
namespace {

/// A figure, perhaps with a unit, or the dash of one that is missing.
bool is_number(std::string_view cell) {
    const std::size_t first = cell.starts_with("-") ? 1 : 0;
    return cell == "-" || cell == "–" || (cell.size() > first && std::isdigit(static_cast<unsigned char>(cell[first])));
}

/// True if every cell of a column below its heading is a number.
bool holds_numbers(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
    return std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return is_number(row[column]); });
}

}   // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string html_table(std::string_view caption, const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::string_view> classes;
    for (std::size_t c = 0; c < rows.front().size(); ++c)
        classes.emplace_back(holds_numbers(rows, c) ? "" : " class=\"text\"");
    std::string text = fmt::format("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", escaped(caption));
    for (std::size_t c = 0; c < classes.size(); ++c)
        text += fmt::format("<th scope=\"col\"{}>{}</th>", classes[c], escaped(rows.front()[c]));
    text += "</tr></thead><tbody>\n";
    for (std::size_t i = 1; i < rows.size(); ++i) {
        text += "<tr>";
        for (std::size_t c = 0; c < classes.size(); ++c)
            text += fmt::format("<td{}>{}</td>", classes[c], escaped(rows[i][c]));
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

std::string html_data(const nlohmann::ordered_json& data) {
    std::string json = data.dump();
    for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) json.replace(at, 2, "<\\/");
    return fmt::format("<script type=\"application/json\">{}</script>", json);
}

std::string html_chart(std::string_view caption, const nlohmann::ordered_json& chart) {
    return fmt::format(
        "<figure><h4>{}</h4><div class=\"legend\"></div><div class=\"chart\"></div>{}<figcaption>{}</figcaption>"
        "</figure>\n",
        escaped(chart["title"].get<std::string>()), html_data(chart), escaped(caption));
}

std::string html_details(std::string_view summary, const std::string& content) {
    return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(summary), content);
}

}   // namespace oscar
