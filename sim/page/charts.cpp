#include "sim/page/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/report/bottleneck.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", purple = "#CC79A7",
                           orange = "#E69F00", sky = "#56B4E9", grey = "#7F7F7F";

struct Look {
    std::string_view name, colour;
};

/// Those of python/oscar_plot/style.py; black, which a dark page would hide, is grey.
constexpr std::array looks{
    Look{"fp32", grey},       Look{"fixed_point", blue},       Look{"asc", green}, Look{"oscar-hw", vermillion},
    Look{"atalanta", orange}, Look{"atalanta-inline", purple}, Look{"bf16", sky},  Look{"rans", purple}};
constexpr std::array colours{blue, green, orange, sky, purple, vermillion};

struct CauseLook {
    const char* key;
    std::string_view colour;
};
/// In the order of `bottlenecks`.
constexpr std::array causes{CauseLook{"wire_ps", blue}, CauseLook{"engine_ps", vermillion}, CauseLook{"dma_ps", orange},
                            CauseLook{"latency_ps", sky}, CauseLook{"wait_ps", purple}};
static_assert(causes.size() == bottlenecks.size());

double rounded(double value) { return std::round(value * 1000) / 1000; }
double microseconds_of(const Json& object, const char* key) {
    return object.is_object() && object.contains(key) && object[key].is_number()
               ? rounded(object[key].get<double>() * 1e-6)
               : 0;
}

double utilisation_of(const Json& link) {
    return link.contains("utilisation") && link["utilisation"].is_number() ? link["utilisation"].get<double>() : 0;
}

Json names_of(const Json& methods) {
    Json names = Json::array();
    for (const auto& method : methods) names.push_back(method["name"]);
    return names;
}

/// What all charts have in common.
Json chart(const char* title) {
    Json option;
    option["title"] = {{"text", title}, {"left", 0}, {"textStyle", {{"fontSize", 14}, {"fontWeight", "normal"}}}};
    option["tooltip"] = {{"confine", true}};
    option["aria"] = {{"enabled", true}};
    option["animation"] = false;
    option["backgroundColor"] = "transparent";
    option["grid"] = {{"left", 24}, {"right", 24}, {"top", 72}, {"bottom", 40}, {"containLabel", true}};
    return option;
}

Json axis(const char* name, int gap) {
    return {{"type", "value"},
            {"name", name},
            {"nameLocation", "middle"},
            {"nameGap", gap},
            {"axisLabel", {{"hideOverlap", true}}}};
}

Json time_axis() {
    Json time = axis("time, us", 44);
    time["min"] = 0;
    return time;
}

Json legend() { return {{"type", "scroll"}, {"top", 30}, {"left", 0}}; }

}   // namespace

std::string_view colour_of_method(std::string_view name) {
    for (const Look& look : looks)
        if (look.name == name) return look.colour;
    std::size_t sum = 0;
    for (const char c : name) sum = sum * 31 + static_cast<unsigned char>(c);
    return colours[sum % colours.size()];
}

Json chart_of_times(const Json& methods) {
    Json option = chart("Time of an AllReduce, by what its critical path waits for");
    option["legend"] = legend();
    option["tooltip"]["trigger"] = "axis";
    option["xAxis"] = axis("time, us", 26);
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", names_of(methods)},
                       {"axisLabel", {{"width", 120}, {"overflow", "truncate"}}}};
    for (std::size_t i = 0; i < causes.size(); ++i) {
        Json series{{"name", bottlenecks[i].name},
                    {"type", "bar"},
                    {"stack", "time"},
                    {"barMaxWidth", 22},
                    {"itemStyle", {{"color", causes[i].colour}}}};
        for (const auto& method : methods)
            series["data"].push_back(microseconds_of(method.value("critical_path", Json()), causes[i].key));
        option["series"].push_back(std::move(series));
    }
    return option;
}

std::optional<Json> chart_of_links(const Json& methods) {
    Json cells = Json::array(), links = Json::array();
    for (std::size_t m = 0; m < methods.size(); ++m)
        for (const auto& link : methods[m].value("links", Json::array())) {
            const auto known = std::ranges::find(links, link.value("name", Json()));
            const auto column = known - links.begin();
            if (known == links.end()) links.push_back(link.value("name", Json()));
            cells.push_back({column, m, std::round(utilisation_of(link) * 1000) / 10});
        }
    if (links.empty()) return std::nullopt;
    Json option = chart("Utilisation of each link, percent of the time");
    option["grid"]["bottom"] = 60;
    option["grid"]["top"] = 40;
    option["xAxis"] = {{"type", "category"},
                       {"data", links},
                       {"axisLabel", {{"rotate", 40}, {"hideOverlap", true}, {"width", 90}, {"overflow", "truncate"}}}};
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", names_of(methods)},
                       {"axisLabel", {{"width", 120}, {"overflow", "truncate"}}}};
    option["visualMap"] = {
        {"min", 0},           {"max", 100},
        {"calculable", true}, {"orient", "horizontal"},
        {"left", "center"},   {"bottom", 0},
        {"itemHeight", 120},  {"inRange", {{"color", {"#f7fbff", "#9ecae1", "#2171b5", "#08306b"}}}}};
    option["series"].push_back({{"name", "utilisation"}, {"type", "heatmap"}, {"data", cells}});
    return option;
}

std::optional<Json> chart_of_iterations(const Json& methods) {
    Json option = chart("Time of each iteration");
    option["legend"] = legend();
    option["tooltip"]["trigger"] = "axis";
    option["yAxis"] = time_axis();
    Json positions = Json::array();
    for (const auto& method : methods) {
        Json series{{"name", method["name"]},
                    {"type", "line"},
                    {"itemStyle", {{"color", colour_of_method(method["name"].get<std::string>())}}}};
        positions = Json::array();
        for (const auto& iteration : method.value("iterations", Json::array())) {
            positions.push_back(iteration.value("position", Json()).dump());
            series["data"].push_back(microseconds_of(iteration, "allreduce_ps"));
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
    Json option = chart("Time against relative L2 error of the sum");
    option["legend"] = legend();
    option["xAxis"] = axis("relative L2 error", 26);
    option["yAxis"] = time_axis();
    std::size_t points = 0;
    for (const auto& method : methods) {
        const Json error = method.value("relative_l2_error", Json());
        if (!error.is_number()) continue;
        ++points;
        option["series"].push_back({{"name", method["name"]},
                                    {"type", "scatter"},
                                    {"symbolSize", 12},
                                    {"itemStyle", {{"color", colour_of_method(method["name"].get<std::string>())}}},
                                    {"data", {{error, microseconds_of(method, "allreduce_ps")}}}});
    }
    if (points < 2) return std::nullopt;
    return option;
}

}   // namespace oscar
