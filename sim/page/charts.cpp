#include "sim/page/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/numbers.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", purple = "#CC79A7",
                           orange = "#E69F00", sky = "#56B4E9", grey = "#7F7F7F";

struct NamedLook {
    std::string_view name;
    MethodLook look;
};

/// Colours are those of python/oscar_plot/style.py; black, which a dark page would hide, is grey.
constexpr std::array looks{NamedLook{"fp32", {grey, "solid", "circle"}},
                           NamedLook{"dense", {grey, "solid", "circle"}},
                           NamedLook{"fixed_point", {blue, "solid", "square"}},
                           NamedLook{"fixed point", {blue, "solid", "square"}},
                           NamedLook{"asc", {green, "solid", "triangle-up"}},
                           NamedLook{"oscar_hw", {vermillion, "solid", "diamond"}},
                           NamedLook{"oscar-hw", {vermillion, "solid", "diamond"}},
                           NamedLook{"atalanta", {orange, "dashed", "cross"}},
                           NamedLook{"atalanta-inline", {purple, "dotted", "triangle-down"}},
                           NamedLook{"bf16", {sky, "dashed", "circle"}},
                           NamedLook{"rans", {purple, "solid", "triangle-down"}}};
constexpr std::array colours{blue, green, orange, sky, purple, vermillion};
constexpr std::array<std::string_view, 3> dashes{"solid", "dashed", "dotted"};
constexpr std::array<std::string_view, 5> symbols{"circle", "square", "triangle-up", "diamond", "cross"};

/// Of each cause, in the order of `bottlenecks`.
constexpr std::array colours_of_causes{blue, vermillion, orange, sky, purple};
static_assert(colours_of_causes.size() == bottlenecks.size());

double rounded(double value) { return std::round(value * 1000) / 1000; }
/// The time of a method or an iteration, in us.
double time_of(const Json& object) { return rounded(figure_in(object, "allreduce_ps") * 1e-6); }

/// The text behind a method's bar.
std::string time_and_error(const Json& method) {
    const Json error = method.value("relative_l2_error", Json());
    std::string text = fmt::format("{} us", three_digits(time_of(method)));
    if (error.is_number()) text += fmt::format(", L2 error {}", three_digits(error.get<double>()));
    return text;
}

/// Names of links in natural order, such as rank2 before rank10; of more than `most_links_of_chart` the busiest.
std::vector<std::string> links_of(const Json& methods) {
    std::map<std::string, double> busy;
    for (const Json& method : methods)
        for (const Json& link : method.value("links", Json::array())) {
            double& most = busy[text_of(link.value("name", Json()))];
            most = std::max(most, figure_in(link, "utilisation"));
        }
    std::vector<std::string> names;
    for (const auto& [name, share] : busy) names.push_back(name);
    std::ranges::stable_sort(names, std::greater{}, [&](const std::string& name) { return busy[name]; });
    if (names.size() > most_links_of_chart) names.resize(most_links_of_chart);
    std::ranges::sort(names, {}, [](const std::string& name) { return std::pair(name.size(), name); });
    return names;
}

}   // namespace

MethodLook look_of_method(std::string_view name) {
    for (const NamedLook& known : looks)
        if (known.name == name) return known.look;
    std::uint32_t hash = 2'166'136'261;   // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
    return {colours[hash % colours.size()], dashes[hash / 7 % dashes.size()], symbols[hash / 31 % symbols.size()]};
}

Json series_of_method(const std::string& name) {
    const MethodLook look = look_of_method(name);
    return {{"name", name},
            {"colour", look.colour},
            {"dash", look.dash},
            {"symbol", look.symbol},
            {"points", Json::array()}};
}

Json line_chart(const char* title, const char* x, const char* y) {
    return {{"kind", "lines"},     {"title", title}, {"x", {{"title", x}}},
            {"y", {{"title", y}}}, {"ends", true},   {"series", Json::array()}};
}

Json heat_map(const char* title) {
    return {{"kind", "heat"},
            {"title", title},
            {"unit", " %"},
            {"range", {0, 100}},
            {"scale_text", {"0 %", "100 %"}},
            {"x", Json::object()},
            {"columns", Json::array()},
            {"rows", Json::array()},
            {"cells", Json::array()}};
}

Json names_of(const Json& methods) {
    Json names = Json::array();
    for (const auto& method : methods) names.push_back(method["name"]);
    return names;
}

Json chart_of_times(const Json& methods) {
    Json chart{{"kind", "bars"}, {"title", "Time by the causes on its critical path"}, {"x", "time, us"}};
    chart["rows"] = names_of(methods);
    for (std::size_t i = 0; i < bottlenecks.size(); ++i) {
        Json part{{"name", bottlenecks[i].name}, {"colour", colours_of_causes[i]}};
        for (const auto& method : methods) part["values"].push_back(rounded(microseconds_of(method, bottlenecks[i])));
        chart["parts"].push_back(std::move(part));
    }
    for (const auto& method : methods) chart["ends"].push_back(time_and_error(method));
    return chart;
}

std::optional<Json> chart_of_links(const Json& methods) {
    const std::vector<std::string> links = links_of(methods);
    if (links.empty()) return std::nullopt;
    Json chart = heat_map("Utilisation of each link, percent of the time");
    chart["upright"] = true;
    chart["rows"] = names_of(methods);
    chart["columns"] = links;
    for (std::size_t m = 0; m < methods.size(); ++m)
        for (const auto& link : methods[m].value("links", Json::array())) {
            const auto column = std::ranges::find(links, text_of(link.value("name", Json())));
            if (column != links.end())
                chart["cells"].push_back(
                    {column - links.begin(), m, std::round(figure_in(link, "utilisation") * 1000) / 10});
        }
    return chart;
}

std::optional<Json> chart_of_iterations(const Json& methods) {
    Json chart = line_chart("Time of each iteration", "iteration of the trace", "time, us");
    chart["y"]["zero"] = true;
    Json positions = Json::array();
    for (const auto& method : methods) {
        Json series = series_of_method(method["name"].get<std::string>());
        positions = Json::array();
        for (const auto& iteration : method.value("iterations", Json::array())) {
            positions.push_back(iteration.value("position", Json()).dump());
            series["points"].push_back({positions.back(), time_of(iteration)});
        }
        chart["series"].push_back(std::move(series));
    }
    if (positions.size() < 2) return std::nullopt;
    chart["x"]["values"] = positions;
    return chart;
}

std::optional<Json> chart_of_errors(const Json& methods) {
    Json chart{{"kind", "points"},
               {"title", "Time against relative L2 error of the sum"},
               {"x", {{"title", "relative L2 error"}, {"log", true}}},
               {"y", {{"title", "time, us"}, {"zero", true}}},
               {"labels", true}};
    std::set<std::string> different;
    for (const auto& method : methods) {
        const double error = figure_in(method, "relative_l2_error");
        if (!(error > 0)) continue;
        different.insert(three_digits(error));
        chart["series"].push_back(series_of_method(method["name"].get<std::string>()));
        chart["series"].back()["points"].push_back({error, time_of(method)});
    }
    if (different.size() < 3) return std::nullopt;
    return chart;
}

}   // namespace oscar
