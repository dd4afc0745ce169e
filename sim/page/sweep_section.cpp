#include "sim/page/sweep_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/charts.hpp"
#include "sim/page/html.hpp"
#include "sim/page/numbers.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

/// Figures of a method that a page shows, where there are any; DIR/methods.csv has all of them.
constexpr std::array<std::string_view, 23> main_figures{"allreduce_ps",
                                                        "bits_per_value",
                                                        "nic_bits_per_value",
                                                        "island_bits_per_value",
                                                        "relative_l2_error",
                                                        "cosine",
                                                        "bottleneck",
                                                        "imbalance",
                                                        "bus_bandwidth_gbps",
                                                        "payload_bytes",
                                                        "wire_bytes",
                                                        "link_utilisation",
                                                        "idle_wait_share",
                                                        "engine_utilisation",
                                                        "gpu_kernel_ps",
                                                        "critical_path.wire_ps",
                                                        "critical_path.engine_ps",
                                                        "critical_path.dma_ps",
                                                        "critical_path.latency_ps",
                                                        "critical_path.wait_ps",
                                                        "energy_total_pj",
                                                        "engine_area_um2",
                                                        "engine_area_time_us_mm2"};

/// A column of the page.
struct ColumnOfPage {
    std::string name;   ///< times are in us
    std::size_t source = 0;
    double factor = 1;
};

bool is_main(std::string_view name) {
    return name.starts_with("speedup.") || std::ranges::find(main_figures, name) != main_figures.end();
}

/// Titles of figures that their names do not tell.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> titles_of_figures{
    {{"allreduce_us", "time, us"},
     {"bits_per_value", "bits a value"},
     {"nic_bits_per_value", "bits a value, NICs"},
     {"island_bits_per_value", "bits a value inside islands"},
     {"relative_l2_error", "relative L2 error"},
     {"bus_bandwidth_gbps", "bus bandwidth, Gbit/s"},
     {"critical_path.wire_us", "on the critical path: link, us"},
     {"critical_path.engine_us", "on the critical path: engine, us"},
     {"critical_path.dma_us", "on the critical path: DMA, us"},
     {"critical_path.latency_us", "on the critical path: latency, us"},
     {"critical_path.wait_us", "on the critical path: wait, us"},
     {"energy_total_pj", "energy, pJ"},
     {"engine_area_um2", "engine area, um2"},
     {"engine_area_time_us_mm2", "engine area times time, us mm2"}}};

/// The title of a column: of a figure its meaning, of a key its last two parts, such as "link bandwidth".
std::string title_of_column(std::string name) {
    for (const auto& [figure, title] : titles_of_figures)
        if (figure == name) return std::string(title);
    if (name.starts_with("speedup.")) return "times as fast as " + name.substr(8);
    const std::size_t last = name.rfind('.');
    if (last != std::string::npos && last > 0) {
        const std::size_t before = name.rfind('.', last - 1);
        if (before != std::string::npos) name.erase(0, before + 1);
    }
    std::ranges::replace_if(
        name, [](char c) { return c == '.' || c == '_'; }, ' ');
    return name;
}

bool has_value(const sql::Table& table, std::size_t column) {
    return std::ranges::any_of(table.rows,
                               [&](const auto& row) { return !std::holds_alternative<std::monostate>(row[column]); });
}

ColumnOfPage column_of(const std::string& name, std::size_t source) {
    if (name.ends_with("_ps")) return {name.substr(0, name.size() - 3) + "_us", source, 1e-6};
    return {name, source, 1};
}

/// Position, swept keys, method, figures.
std::vector<ColumnOfPage> columns_of(const SweepResults& sweep) {
    std::vector<ColumnOfPage> columns;
    const auto& names = sweep.figures.columns;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const bool is_setting = names[c] == "position" || names[c] == "method" ||
                                std::ranges::find(sweep.keys, names[c]) != sweep.keys.end();
        if (is_setting) columns.push_back({names[c] == "position" ? "point" : names[c], c, 1});
        else if (is_main(names[c]) && has_value(sweep.figures, c)) columns.push_back(column_of(names[c], c));
    }
    return columns;
}

Json value_of(const sql::Value& value, double factor) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (whole != nullptr && factor == 1) return *whole;
    if (whole != nullptr) return static_cast<double>(*whole) * factor;
    if (const auto* number = std::get_if<double>(&value)) return *number * factor;
    return nullptr;
}

/// All rows, each a list in the order of `columns`.
Json rows_of(const SweepResults& sweep, const std::vector<ColumnOfPage>& columns) {
    Json rows = Json::array();
    for (const auto& row : sweep.figures.rows) {
        Json& made = rows.emplace_back(Json::array());
        for (const ColumnOfPage& column : columns) made.push_back(value_of(row[column.source], column.factor));
    }
    return rows;
}

std::optional<std::size_t> column_named(const std::vector<ColumnOfPage>& columns, std::string_view name) {
    const auto found = std::ranges::find(columns, name, &ColumnOfPage::name);
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
}

std::string settings_of(const Json& row, const std::vector<ColumnOfPage>& columns,
                        const std::vector<std::string>& keys) {
    std::string text;
    for (const std::string& key : keys)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, text_of(row[*column_named(columns, key)]));
    return text;
}

/// Where each method is fastest, and where it gains most over the first.
std::string best_points_table(const SweepResults& sweep, const std::vector<ColumnOfPage>& columns, const Json& rows) {
    const auto time = column_named(columns, "allreduce_us"), method = column_named(columns, "method");
    const std::string& first = sweep.methods.front();
    const auto gain = column_named(columns, "speedup." + first);
    Rows table{{"method", "best in", "time us", "over " + first, "L2 error", "limited by", "point", "settings"}};
    const auto limiter = column_named(columns, "bottleneck"), error = column_named(columns, "relative_l2_error");
    const auto add = [&](const std::string& name, std::optional<std::size_t> by, bool largest, const char* what) {
        const Json* best = nullptr;
        for (const Json& row : rows) {
            if (row[*method] != name || !by || !row[*by].is_number()) continue;
            const double here = row[*by].get<double>(), there = best ? (*best)[*by].get<double>() : 0;
            if (best == nullptr || (largest ? here > there : here < there)) best = &row;
        }
        if (best == nullptr) return;
        const auto cell = [&](const std::optional<std::size_t>& c) { return c ? cell_of((*best)[*c]) : "-"; };
        table.push_back({name, what, cell(time), cell(gain), cell(error), cell(limiter), text_of((*best)[0]),
                         settings_of(*best, columns, sweep.keys)});
    };
    for (const std::string& name : sweep.methods) {
        add(name, time, false, "time");
        if (name != first) add(name, gain, true, "gain");
    }
    return html_table("Where each method is fastest, and where it gains most", table);
}

std::string table_of_points(const std::vector<ColumnOfPage>& columns, const Json& rows) {
    Rows table{{}};
    for (const ColumnOfPage& column : columns) table[0].push_back(title_of_column(column.name));
    for (const Json& row : rows) {
        if (table.size() > most_rows_of_table) break;
        std::vector<std::string>& cells = table.emplace_back();
        for (const Json& value : row) cells.push_back(cell_of(value));
    }
    return html_table(
        rows.size() > most_rows_of_table
            ? fmt::format("The first {} rows; methods.csv beside the database has all", most_rows_of_table)
            : "A row for each point and method; a click on a heading sorts",
        table);
}

std::string failures_of(const SweepResults& sweep) {
    if (sweep.failures.rows.empty()) return "";
    Rows table{{"point", "error"}};
    for (const auto& row : sweep.failures.rows)
        table.push_back({text_of(value_of(row[0], 1)), text_of(value_of(row[1], 1))});
    return html_table("Points that failed", table);
}

/// What sweep.js draws: names, colours of methods, and all rows.
Json data_of(const SweepResults& sweep, const std::vector<ColumnOfPage>& columns, const Json& rows) {
    Json data{{"keys", sweep.keys}, {"methods", sweep.methods}};
    for (const std::string& method : sweep.methods) data["looks"].push_back(series_of_method(method));
    data["largest_is_best"] = Json::array();
    for (const ColumnOfPage& column : columns) {
        data["columns"].push_back(column.name);
        data["titles"][column.name] = title_of_column(column.name);
        if (largest_is_best(column.name)) data["largest_is_best"].push_back(column.name);
    }
    data["rows"] = rows;
    return data;
}

std::string progress_of(const SweepResults& sweep) {
    std::string text = fmt::format("{} points: {} done", sweep.done + sweep.failed + sweep.pending, sweep.done);
    if (sweep.failed > 0) text += fmt::format(", {} failed", sweep.failed);
    if (sweep.pending > 0) text += fmt::format(", <strong>{} not computed yet</strong>", sweep.pending);
    return "<p>" + text + ".</p>\n";
}

}   // namespace

std::string sweep_section(const SweepResults& sweep) {
    std::string text =
        fmt::format("<section>\n<h2>Sweep {}</h2>\n", escaped(sweep.file.parent_path().filename().string())) +
        progress_of(sweep) + failures_of(sweep);
    if (sweep.figures.rows.empty()) return text + "<p>No point has figures.</p>\n</section>\n";
    const auto columns = columns_of(sweep);
    const Json rows = rows_of(sweep, columns);
    text += best_points_table(sweep, columns, rows);
    text += "<div class=\"sweep\">" + html_data(data_of(sweep, columns, rows)) + "</div>\n";
    text += html_details("All points", table_of_points(columns, rows));
    const Rows provenance{{"what", "value"},
                          {"program", sweep.program},
                          {"database", sweep.file.string()},
                          {"swept keys", fmt::format("{}", fmt::join(sweep.keys, ", "))}};
    return text + html_details("Where this comes from", html_table("Each point is a run of this program", provenance)) +
           "</section>\n";
}

}   // namespace oscar
