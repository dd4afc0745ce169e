#include "sim/config/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace oscar::inline config {
namespace {

constexpr std::size_t narrowest_meaning = 30;
constexpr std::size_t longest_default = 28;

/// Breaks `text` at spaces into lines of at most `width` characters; a longer word keeps a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> lines{""};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

std::string shorten(const std::string& text) {
    return text.size() <= longest_default ? text : text.substr(0, longest_default - 3) + "...";
}

std::string default_text(const nlohmann::ordered_json& value) {
    if (value.is_null()) return "none";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("kind")) return value["kind"].get<std::string>();
    if (value.is_number_float()) return number_text(value.get<double>());
    if (!value.is_array()) return value.dump();
    std::string list;
    for (const auto& entry : value) list += (list.empty() ? "" : ", ") + default_text(entry);
    return "[" + list + "]";
}

}   // namespace

std::string describe_detail::list_text(const std::string& element) {
    const bool takes_s = element == "number" || element == "whole number" || element == "map" || element == "text" ||
                         element == "time" || element == "bandwidth";
    return "list of " + element + (takes_s ? "s" : "");
}

std::string describe_default(const nlohmann::ordered_json& value) { return shorten(default_text(value)); }

std::string describe_table(const std::vector<DescribeRow>& rows, std::size_t width, const DescribeRow& heading) {
    std::size_t key = heading.key.size(), initial = heading.initial.size(), legal = heading.legal.size();
    for (const DescribeRow& row : rows) {
        key = std::max(key, row.key.size());
        initial = std::max(initial, row.initial.size());
        legal = std::max(legal, row.legal.size());
    }
    const std::size_t indent = key + initial + legal + 6;   // two spaces after each column
    const std::size_t rest = width > indent + narrowest_meaning ? width - indent : narrowest_meaning;
    std::string table;
    const auto add = [&](const DescribeRow& row) {
        const std::vector<std::string> lines = wrap(row.meaning, rest);
        std::string first =
            fmt::format("{:{}}  {:{}}  {:{}}  {}", row.key, key, row.initial, initial, row.legal, legal, lines.front());
        first.erase(first.find_last_not_of(' ') + 1);
        table += first + "\n";
        for (std::size_t i = 1; i < lines.size(); ++i) table += std::string(indent, ' ') + lines[i] + "\n";
    };
    add(heading);
    for (const DescribeRow& row : rows) add(row);
    return table;
}

}   // namespace oscar::inline config
