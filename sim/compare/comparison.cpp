#include "sim/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/compare/differences.hpp"
#include "sim/compare/figures.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// Figures of a method that stand side by side.
constexpr std::array figures{"allreduce_ps",     "payload_bytes",    "wire_bytes",          "bits_per_value",
                             "imbalance",        "link_utilisation", "relative_l2_error",   "cosine",
                             "saturated_values", "bottleneck",       "sums_match_reference"};

/// The same, of machines with islands.
constexpr std::array figures_of_tiers{"nic_payload_bytes", "nic_bits_per_value", "island_payload_bytes",
                                      "island_bits_per_value"};

Json about(const ReportFile& of) {
    Json result{{"file", of.file.string()}};
    for (const char* key : {"experiment", "program_version", "trace"}) result[key] = of.report.value(key, Json());
    return result;
}

Json pair_of(const Json& a, const Json& b, const char* key) {
    return {{"a", a.value(key, Json())}, {"b", b.value(key, Json())}};
}

/// What a cause has become, largest change first.
struct Change {
    std::string_view cause;
    double was, now;   ///< us
};

std::vector<Change> changes(const Json& a, const Json& b) {
    std::vector<Change> result;
    result.reserve(bottlenecks.size());
    for (const Bottleneck& cause : bottlenecks)
        result.push_back({cause.name, microseconds_of(a, cause), microseconds_of(b, cause)});
    std::ranges::stable_sort(result, std::ranges::greater{}, [](const Change& c) { return std::abs(c.now - c.was); });
    return result;
}

/// `link 12.7 -> 3.2 us, wait 0.9 -> 0.5 us`: the changes that make up nine tenths of all.
std::string causes_text(const std::vector<Change>& all) {
    double total = 0, told = 0;
    for (const Change& change : all) total += std::abs(change.now - change.was);
    std::string text;
    for (const Change& change : all) {
        if (total == 0 || told >= 0.9 * total) break;
        told += std::abs(change.now - change.was);
        text += fmt::format("{}{} {:.3f} -> {:.3f} us", text.empty() ? "" : ", ", change.cause, change.was, change.now);
    }
    return text;
}

std::optional<std::pair<double, double>> numbers(const Json& method, const char* key) {
    if (!method.contains(key) || !method[key]["a"].is_number() || !method[key]["b"].is_number()) return std::nullopt;
    return std::pair{method[key]["a"].get<double>(), method[key]["b"].get<double>()};
}

/// `values of 8.00 -> 4.71 bits`, where that differs.
std::string bits_text(const Json& method, const char* key, const char* values) {
    const auto bits = numbers(method, key);
    if (!bits || std::abs(bits->first - bits->second) < 5e-4) return "";
    return fmt::format("; {} of {:.2f} -> {:.2f} bits", values, bits->first, bits->second);
}

/// What was sent, where that differs: between islands and inside them, where both machines have such tiers.
std::string bits_text(const Json& method) {
    if (!numbers(method, "nic_bits_per_value") && !numbers(method, "island_bits_per_value"))
        return bits_text(method, "bits_per_value", "values");
    return bits_text(method, "nic_bits_per_value", "values on NICs") +
           bits_text(method, "island_bits_per_value", "values inside islands");
}

std::string ratio_text(double ratio) {
    if (std::abs(ratio - 1) < 5e-5) return "as fast";
    return ratio > 1 ? fmt::format("{:.3f} times as fast", ratio) : fmt::format("{:.3f} times as slow", 1 / ratio);
}

Json compared_method(const Json& a, const Json& b) {
    Json result{{"name", a["name"]}};
    for (const char* key : figures) result[key] = pair_of(a, b, key);
    for (const char* key : figures_of_tiers)
        if (a.contains(key) || b.contains(key)) result[key] = pair_of(a, b, key);
    result["critical_path"] = pair_of(a, b, "critical_path");
    const auto times = numbers(result, "allreduce_ps");
    const double ratio = times->second > 0 ? times->first / times->second : 1;
    result["ratio"] = ratio;
    const std::string causes = causes_text(changes(a, b));
    result["reason"] =
        fmt::format("B is {}{}{}{}", ratio_text(ratio), causes.empty() ? "" : ": ", causes, bits_text(result));
    return result;
}

Json names_without(const Json& methods, const Json& others) {
    Json names = Json::array();
    for (const auto& method : methods)
        if (std::ranges::none_of(others, [&](const Json& other) { return other["name"] == method["name"]; }))
            names.push_back(method["name"]);
    return names;
}

Json listed(const std::vector<Difference>& found, const char* key) {
    Json list = Json::array();
    for (const auto& [place, a, b] : found) list.push_back({{key, place}, {"a", a}, {"b", b}});
    return list;
}

Json without(Json map, std::initializer_list<const char*> keys) {
    for (const char* key : keys) map.erase(key);
    return map;
}

/// The machine as it was written. The experiment's name, by default that of its file, is no part of it.
Json configuration_of(const Json& report) {
    return without(report.contains("config_as_written") ? report["config_as_written"] : report["config"],
                   {"experiment"});
}

std::string line_of(std::string_view letter, const Json& about) {
    const Json& trace = about["trace"];
    const std::string from = trace.is_object() ? fmt::format(", trace {} ({})", text_of(trace.value("name", Json())),
                                                             text_of(trace.value("hash", Json())))
                                               : "";
    return fmt::format("{}: {}: {}, oscar-sim {}{}\n", letter, text_of(about["file"]), text_of(about["experiment"]),
                       text_of(about["program_version"]), from);
}

/// First of all, whether the two carry the same values.
std::string trace_note(const Json& a, const Json& b) {
    const auto hash = [](const Json& trace) { return trace.is_object() ? trace.value("hash", Json()) : Json(); };
    if (hash(a) == hash(b)) return "";
    if (hash(a).is_null() == hash(b).is_null())
        return "NOTE: the two replay different traces: times and bits are of other values.\n";
    return fmt::format("NOTE: {} replays a trace and {} has none: times and bits are of other work.\n",
                       hash(a).is_null() ? "B" : "A", hash(a).is_null() ? "A" : "B");
}

std::string configuration_text(const Json& list, const Screen& screen) {
    if (list.empty()) return "\nThe configurations are equal.\n";
    std::vector<Row> rows{{"configuration", "A", "B"}};
    for (const auto& entry : list) rows.push_back({text_of(entry["key"]), text_of(entry["a"]), text_of(entry["b"])});
    return "\n" + aligned(rows, screen);
}

std::string change_cell(double was, double now) { return fmt::format("{:+.3f}", now - was); }

std::string times_text(const Json& methods, const Screen& screen) {
    std::vector<Row> rows{{"method", "A us", "B us", "A / B"}};
    for (const Bottleneck& cause : bottlenecks) rows[0].emplace_back(fmt::format("{} us", cause.name));
    for (const auto& method : methods) {
        const auto times = numbers(method, "allreduce_ps");
        Row row{text_of(method["name"]), fmt::format("{:.3f}", times->first * 1e-6),
                fmt::format("{:.3f}", times->second * 1e-6), fmt::format("{:.3f}", method["ratio"].get<double>())};
        const auto& path = method["critical_path"];
        for (const Bottleneck& cause : bottlenecks)
            row.emplace_back(
                change_cell(figure_in(path["a"], key_of(cause)) * 1e-6, figure_in(path["b"], key_of(cause)) * 1e-6));
        rows.push_back(std::move(row));
    }
    return "\nTime of each, and what the critical path of B has more (+) or less (-):\n" + aligned(rows, screen);
}

/// Whether a figure of some method differs.
bool differs(const Json& methods, const char* key) {
    return std::ranges::any_of(methods, [&](const Json& method) { return method[key]["a"] != method[key]["b"]; });
}

std::string figures_text(const Json& methods, const Screen& screen) {
    std::vector<Row> rows{{"figure", "method", "A", "B"}};
    for (const char* key : figures)
        if (std::string_view(key) != "allreduce_ps" && differs(methods, key))
            for (const auto& method : methods)
                rows.push_back({key, text_of(method["name"]), text_of(method[key]["a"]), text_of(method[key]["b"])});
    return rows.size() == 1 ? "" : "\nOther figures that differ:\n" + aligned(rows, screen, 2);
}

std::string only_text(std::string_view letter, const Json& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + text_of(name);
    return text.empty() ? "" : fmt::format("Only in {}: {}\n", letter, text);
}

}   // namespace

Json compare(const ReportFile& a, const ReportFile& b) {
    Json result{{"schema", 1}, {"a", about(a)}, {"b", about(b)}};
    result["configuration"] = listed(differences(configuration_of(a.report), configuration_of(b.report)), "key");
    result["methods"] = Json::array();
    for (const auto& method : a.report["methods"])
        for (const auto& other : b.report["methods"])
            if (other["name"] == method["name"]) result["methods"].push_back(compared_method(method, other));
    result["only_a"] = names_without(a.report["methods"], b.report["methods"]);
    result["only_b"] = names_without(b.report["methods"], a.report["methods"]);
    const auto rest = [](const Json& report) {
        return without(report, {"experiment", "host", "config", "config_as_written"});
    };
    result["all"] = listed(differences(rest(a.report), rest(b.report)), "place");
    return result;
}

std::string to_text(const Json& comparison, bool all, const Screen& screen) {
    const Json& methods = comparison["methods"];
    std::string text = line_of("A", comparison["a"]) + line_of("B", comparison["b"]) +
                       trace_note(comparison["a"]["trace"], comparison["b"]["trace"]);
    text += configuration_text(comparison["configuration"], screen);
    if (methods.empty()) text += "\nNo method is in both.\n";
    else text += times_text(methods, screen) + "\n";
    for (const auto& method : methods)
        text += fmt::format("{}: {}\n", text_of(method["name"]), text_of(method["reason"]));
    text += only_text("A", comparison["only_a"]) + only_text("B", comparison["only_b"]);
    text += figures_text(methods, screen);
    if (all)
        for (const auto& entry : comparison["all"])
            text += fmt::format("{}: {} -> {}\n", text_of(entry["place"]), text_of(entry["a"]), text_of(entry["b"]));
    else if (!comparison["all"].empty())
        text += fmt::format("\n{} values of the reports differ; --all lists them.\n", comparison["all"].size());
    else text += "\nThe reports are equal but for host and name.\n";
    return text;
}

}   // namespace oscar
