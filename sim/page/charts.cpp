#include "sim/page/charts.hpp"

#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "sim/compare/figures.hpp"

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
                           NamedLook{"fixed_point", {blue, "solid", "rect"}},
                           NamedLook{"fixed point", {blue, "solid", "rect"}},
                           NamedLook{"asc", {green, "solid", "triangle"}},
                           NamedLook{"oscar-hw", {vermillion, "solid", "diamond"}},
                           NamedLook{"oscar_hw", {vermillion, "solid", "diamond"}},
                           NamedLook{"atalanta", {orange, "dashed", "roundRect"}},
                           NamedLook{"atalanta-inline", {purple, "dotted", "pin"}},
                           NamedLook{"bf16", {sky, "dashed", "circle"}},
                           NamedLook{"rans", {purple, "solid", "arrow"}}};
constexpr std::array colours{blue, green, orange, sky, purple, vermillion};
constexpr std::array<std::string_view, 3> dashes{"solid", "dashed", "dotted"};
constexpr std::array<std::string_view, 5> symbols{"circle", "rect", "triangle", "diamond", "roundRect"};

/// Of each cause, in the order of `bottlenecks`.
constexpr std::array colours_of_causes{blue, vermillion, orange, sky, purple};
static_assert(colours_of_causes.size() == bottlenecks.size());

double rounded(double value) { return std::round(value * 1000) / 1000; }
/// The time of a method or an iteration.
double time_of(const Json& object) { return rounded(figure_in(object, "allreduce_ps") * 1e-6); }

Json names_of(const Json& methods) {
    Json names = Json::array();
    for (const auto& method : methods) names.push_back(method["name"]);
    return names;
}

Json time_axis() {
    Json time = number_axis("time, us", 44);
    time["min"] = 0;
    return time;
}

}   // namespace

Json empty_chart(const char* title) {
    Json option;
    option["title"] = {{"text", title}, {"left", 0}, {"textStyle", {{"fontSize", 14}, {"fontWeight", "normal"}}}};
    option["tooltip"] = {{"confine", true}};
    option["aria"] = {{"enabled", true}};
    option["animation"] = false;
    option["backgroundColor"] = "transparent";
    option["grid"] = {{"left", 40}, {"right", 24}, {"top", 72}, {"bottom", 40}, {"containLabel", true}};
    return option;
}

Json number_axis(const char* name, int gap) {
    return {{"type", "value"},
            {"name", name},
            {"nameLocation", "middle"},
            {"nameGap", gap},
            {"axisLabel", {{"hideOverlap", true}}}};
}

Json chart_legend() { return {{"type", "scroll"}, {"top", 30}, {"left", 0}, {"pageFormatter", " "}}; }

Json heat_scale() {
    return {{"min", 0},           {"max", 100},
            {"calculable", true}, {"orient", "horizontal"},
            {"left", "center"},   {"bottom", 0},
            {"itemHeight", 120},  {"inRange", {{"color", {"#f7fbff", "#9ecae1", "#2171b5", "#08306b"}}}}};
}

MethodLook look_of_method(std::string_view name) {
    for (const NamedLook& known : looks)
        if (known.name == name) return known.look;
    std::uint32_t hash = 2'166'136'261;   // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
    return {colours[hash % colours.size()], dashes[hash / 7 % dashes.size()], symbols[hash / 31 % symbols.size()]};
}

Json to_json(const MethodLook& look) { return {{"colour", look.colour}, {"dash", look.dash}, {"symbol", look.symbol}}; }

void use_look(Json& series, std::string_view method) {
    const MethodLook look = look_of_method(method);
    series["symbol"] = look.symbol;
    series["itemStyle"]["color"] = look.colour;
    series["lineStyle"]["type"] = look.dash;
}

Json chart_of_times(const Json& methods) {
    Json option = empty_chart("Time, by what its critical path waits for");
    option["legend"] = chart_legend();
    option["tooltip"]["trigger"] = "axis";
    option["xAxis"] = number_axis("time, us", 26);
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", names_of(methods)},
                       {"axisLabel", {{"width", 120}, {"overflow", "truncate"}}}};
    for (std::size_t i = 0; i < bottlenecks.size(); ++i) {
        Json series{{"name", bottlenecks[i].name},
                    {"type", "bar"},
                    {"stack", "time"},
                    {"barMaxWidth", 22},
                    {"itemStyle", {{"color", colours_of_causes[i]}}}};
        for (const auto& method : methods) series["data"].push_back(rounded(microseconds_of(method, bottlenecks[i])));
        option["series"].push_back(std::move(series));
    }
    return option;
}

std::optional<Json> chart_of_links(const Json& methods) {
    Json cells = Json::array(), links = Json::array();
    std::unordered_map<std::string, std::size_t> columns;
    for (std::size_t m = 0; m < methods.size(); ++m)
        for (const auto& link : methods[m].value("links", Json::array())) {
            const auto [column, is_new] = columns.try_emplace(text_of(link.value("name", Json())), links.size());
            if (is_new) links.push_back(column->first);
            cells.push_back({column->second, m, std::round(figure_in(link, "utilisation") * 1000) / 10});
        }
    if (links.empty()) return std::nullopt;
    Json option = empty_chart("Utilisation of each link, percent of the time");
    option["grid"]["bottom"] = 60;
    option["grid"]["top"] = 40;
    option["xAxis"] = {{"type", "category"},
                       {"data", links},
                       {"axisLabel", {{"rotate", 40}, {"hideOverlap", true}, {"width", 90}, {"overflow", "truncate"}}}};
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", names_of(methods)},
                       {"axisLabel", {{"width", 120}, {"overflow", "truncate"}}}};
    option["visualMap"] = heat_scale();
    option["series"].push_back({{"name", "utilisation"}, {"type", "heatmap"}, {"data", cells}});
    return option;
}

std::optional<Json> chart_of_iterations(const Json& methods) {
    Json option = empty_chart("Time of each iteration");
    option["legend"] = chart_legend();
    option["tooltip"]["trigger"] = "axis";
    option["yAxis"] = time_axis();
    Json positions = Json::array();
    for (const auto& method : methods) {
        Json series{{"name", method["name"]}, {"type", "line"}};
        use_look(series, method["name"].get<std::string>());
        positions = Json::array();
        for (const auto& iteration : method.value("iterations", Json::array())) {
            positions.push_back(iteration.value("position", Json()).dump());
            series["data"].push_back(time_of(iteration));
        }
        option["series"].push_back(std::move(series));
    }
    if (positions.size() < 2) return std::nullopt;
    option["xAxis"] = {{"type", "category"},
                       {"data", positions},
                       {"name", "iteration of the trace"},
                       {"nameLocation", "middle"},
                       {"nameGap", 26}};
    return option;
}

std::optional<Json> chart_of_errors(const Json& methods) {
    Json option = empty_chart("Time against relative L2 error of the sum");
    option["legend"] = chart_legend();
    option["xAxis"] = number_axis("relative L2 error", 26);
    option["yAxis"] = time_axis();
    std::size_t points = 0;
    for (const auto& method : methods) {
        const Json error = method.value("relative_l2_error", Json());
        if (!error.is_number()) continue;
        ++points;
        Json series{
            {"name", method["name"]}, {"type", "scatter"}, {"symbolSize", 12}, {"data", {{error, time_of(method)}}}};
        use_look(series, method["name"].get<std::string>());
        option["series"].push_back(std::move(series));
    }
    if (points < 2) return std::nullopt;
    return option;
}

}   // namespace oscar
