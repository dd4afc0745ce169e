#include "sim/describe/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/text.hpp"
#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

constexpr std::size_t narrowest_meaning = 24;
constexpr std::size_t longest_default = 24;

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

std::string without_trailing_spaces(std::string line) { return line.erase(line.find_last_not_of(' ') + 1); }

/// Aligned to columns of these widths; the meaning has lines of `rest` characters.
std::string in_one_line(const DescribeRow& row, const std::array<std::size_t, 3>& columns, std::size_t rest) {
    const std::string cells =
        fmt::format("{:{}}  {:{}}  {:{}}  ", row.key, columns[0], row.initial, columns[1], row.legal, columns[2]);
    std::string text;
    for (const std::string& line : wrapped(row.meaning, rest))
        text += without_trailing_spaces((text.empty() ? cells : std::string(cells.size(), ' ')) + line) + "\n";
    return text;
}

/// The cells one after the other, the meaning indented below; a choice or kind precedes its meaning.
std::string above_its_meaning(const DescribeRow& row, std::size_t width) {
    constexpr std::size_t margin = 4;
    if (row.key.empty()) return std::string(margin, ' ') + paragraph(row.legal + ": " + row.meaning, width, margin + 2);
    std::string text, line = row.key;
    for (const std::string& cell : {row.initial, row.legal}) {
        if (cell.empty()) continue;
        if (line.size() + 2 + cell.size() <= width) {
            line += "  " + cell;
        } else {
            text += line + "\n";
            line = std::string(margin, ' ') + cell;
        }
    }
    text += line + "\n";
    if (row.meaning.empty()) return text;
    const std::size_t indent = margin + row.key.find_first_not_of(' ');
    return text + std::string(indent, ' ') + paragraph(row.meaning, width, indent);
}

}   // namespace

std::string describe_default(const nlohmann::ordered_json& value) { return shorten(default_text(value)); }

std::string describe_table(const std::vector<DescribeRow>& rows, std::size_t width, const DescribeRow& heading) {
    std::array<std::size_t, 3> columns{heading.key.size(), heading.initial.size(), heading.legal.size()};
    for (const DescribeRow& row : rows)
        columns = {std::max(columns[0], row.key.size()), std::max(columns[1], row.initial.size()),
                   std::max(columns[2], row.legal.size())};
    const std::size_t indent = columns[0] + columns[1] + columns[2] + 6;   // two spaces after each column
    const bool in_columns = width >= indent + narrowest_meaning;
    std::string table;
    const auto add = [&](const DescribeRow& row) {
        table += in_columns ? in_one_line(row, columns, width - indent) : above_its_meaning(row, width);
    };
    add(heading);
    for (const DescribeRow& row : rows) add(row);
    return table;
}

std::string describe_parameter_table(const std::vector<ParameterDescription>& parameters, std::size_t width) {
    std::vector<DescribeRow> rows;
    add_rows(parameters, "", rows);
    return describe_table(rows, width);
}

std::string describe_kind_table(const std::vector<KindDescription>& kinds, std::size_t width) {
    std::vector<DescribeRow> rows;
    for (const KindDescription& kind : kinds) {
        rows.push_back({kind.name, "", rows.empty() ? "the default" : "", kind.meaning});
        add_rows(kind.parameters, "  ", rows);
    }
    return describe_table(rows, width);
}

}   // namespace oscar
