#include "sim/config/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/text.hpp"

#include "sim/config/wrap.hpp"

namespace oscar::inline config {
namespace {

constexpr std::size_t narrowest_meaning = 30;
constexpr std::size_t longest_default = 28;

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

void add_rows(const std::vector<ParameterDescription>& parameters, const std::string& prefix,
              std::vector<DescribeRow>& rows);

/// The rows below a parameter: its choices, its kinds, and the parameters of its entries.
void add_rows_below(const ValueDescription& value, const std::string& key, std::vector<DescribeRow>& rows) {
    for (const ValueDescription& entry : value.element) add_rows_below(entry, key + "[]", rows);
    for (const auto& [name, meaning] : value.choices) rows.push_back({"", "", "  " + name, meaning});
    for (const KindDescription& kind : value.kinds) rows.push_back({"", "", "  " + kind.name, kind.meaning});
    add_rows(value.parameters, key + ".", rows);
}

void add_rows(const std::vector<ParameterDescription>& parameters, const std::string& prefix,
              std::vector<DescribeRow>& rows) {
    for (const ParameterDescription& parameter : parameters) {
        const ValueDescription& value = parameter.value;
        const std::string key = prefix + parameter.key;
        if (value.form != ValueForm::map || value.nullable || value.parameters.empty())
            rows.push_back({key, describe_default(parameter.initial), legal_text(parameter), parameter.meaning});
        add_rows_below(value, key, rows);
    }
}

}   // namespace

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
        const std::vector<std::string> lines = wrapped(row.meaning, rest);
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

std::string describe_parameter_table(const std::vector<ParameterDescription>& parameters) {
    std::vector<DescribeRow> rows;
    add_rows(parameters, "", rows);
    return describe_table(rows);
}

std::string describe_kind_table(const std::vector<KindDescription>& kinds) {
    std::vector<DescribeRow> rows;
    for (const KindDescription& kind : kinds) {
        rows.push_back({kind.name, "", rows.empty() ? "the default" : "", kind.meaning});
        add_rows(kind.parameters, "  ", rows);
    }
    return describe_table(rows);
}

}   // namespace oscar::inline config
