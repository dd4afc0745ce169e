#include "sim/page/activity_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/charts.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// Links that methods show, all together and each, so that their names can be read.
constexpr std::size_t most_links = 64, most_links_of_a_method = 8;

double in_us(double ps) { return std::round(ps * 1e-3) / 1000; }
double mean(const Json& values) {
    double sum = 0;
    for (const Json& value : values) sum += value.get<double>();
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// A list of a part of a method; empty without it.
Json list_of(const Json& method, const char* part, const char* key) {
    return method.value(part, Json::object()).value(key, Json::array());
}

/// Of a link in each interval; empty where the report has none.
Json shares_of(const Json& link) { return link.value("utilisation", Json::array()); }
std::string name_of(const Json& link) { return text_of(link.value("name", Json())); }

/// The busiest links of a method, at most `most`, in the order of their names.
std::vector<Json> links_shown(const Json& method, std::size_t most) {
    std::vector<Json> links = list_of(method, "activity", "busiest_links").get<std::vector<Json>>();
    std::ranges::stable_sort(links, std::greater{}, [](const Json& link) { return mean(shares_of(link)); });
    if (links.size() > most) links.resize(most);
    std::ranges::sort(links, {}, [](const Json& link) { return name_of(link); });
    return links;
}

/// A chart with a line for each method.
Json lines(const char* title, Json x, Json y) {
    Json option = empty_chart(title);
    option["legend"] = chart_legend();
    option["tooltip"]["trigger"] = "axis";
    option["xAxis"] = std::move(x);
    option["yAxis"] = std::move(y);
    option["series"] = Json::array();
    return option;
}

/// A line through points, too many for symbols if there are more than a few.
Json line(const Json& method, Json points) {
    Json series{{"name", method["name"]}, {"type", "line"}, {"showSymbol", points.size() < 30}};
    series["data"] = std::move(points);
    use_look(series, method["name"].get<std::string>());
    return series;
}

}   // namespace

std::optional<TallChart> chart_of_links_over_time(const Json& methods) {
    Json rows = Json::array(), cells = Json::array();
    std::size_t intervals = 0;
    const std::size_t most = std::clamp<std::size_t>(most_links / methods.size(), 1, most_links_of_a_method);
    for (const Json& method : methods)
        for (const Json& link : links_shown(method, most)) {
            const Json shares = shares_of(link);
            intervals = std::max(intervals, shares.size());
            for (std::size_t i = 0; i < shares.size(); ++i)
                cells.push_back({i, rows.size(), std::round(shares[i].get<double>() * 1000) / 10});
            rows.push_back(fmt::format("{}: {}", text_of(method["name"]), name_of(link)));
        }
    if (rows.empty()) return std::nullopt;
    Json columns = Json::array();
    for (std::size_t i = 0; i < intervals; ++i)
        columns.push_back(fmt::format("{:g}", 100.0 * static_cast<double>(i) / static_cast<double>(intervals)));
    Json option = empty_chart("Utilisation of links over time, percent");
    option["grid"]["top"] = 40;
    option["grid"]["bottom"] = 84;
    option["xAxis"] = {{"type", "category"},       {"data", columns}, {"name", "percent of the method's time"},
                       {"nameLocation", "middle"}, {"nameGap", 26},   {"axisLabel", {{"hideOverlap", true}}}};
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", rows},
                       {"axisLabel", {{"width", 170}, {"overflow", "truncate"}, {"fontSize", 10}, {"interval", 0}}}};
    option["visualMap"] = heat_scale();
    option["series"].push_back({{"name", "utilisation"}, {"type", "heatmap"}, {"data", cells}});
    return TallChart{std::move(option), 150 + 15 * static_cast<int>(rows.size())};
}

std::optional<Json> chart_of_queues(const Json& methods) {
    Json option = lines("Messages that a rank is sending", number_axis("time, us", 26), number_axis("messages", 44));
    for (const Json& method : methods) {
        const Json sending = list_of(method, "activity", "sending");
        const double interval = figure_in(method.value("activity", Json::object()), "interval_ps");
        Json points = Json::array();
        for (std::size_t i = 0; i < sending.size(); ++i)
            points.push_back({in_us(interval * (static_cast<double>(i) + 0.5)), sending[i]});
        if (!points.empty()) option["series"].push_back(line(method, std::move(points)));
    }
    if (option["series"].empty()) return std::nullopt;
    return option;
}

std::optional<Json> chart_of_bits(const Json& methods) {
    Json y = number_axis("bits a value", 44);
    y["min"] = 0;
    Json option = lines("Bits a value in each timestep", number_axis("timestep", 26), std::move(y));
    for (const Json& method : methods) {
        const Json bits = list_of(method, "timesteps", "bits_per_value");
        Json points = Json::array();
        for (std::size_t i = 0; i < bits.size(); ++i) points.push_back({i, bits[i]});
        if (points.size() > 1) option["series"].push_back(line(method, std::move(points)));
    }
    if (option["series"].empty()) return std::nullopt;
    option["xAxis"]["minInterval"] = 1;
    return option;
}

std::optional<Json> chart_of_chunks(const Json& methods) {
    Json names = Json::array(), boxes = Json::array();
    bool differ = false;
    for (const Json& method : methods) {
        const Json balance = method.value("chunk_balance", Json());
        if (!balance.is_object()) continue;
        Json box = Json::array();
        for (const char* key : {"least", "first_quartile", "median", "third_quartile", "largest"})
            box.push_back(figure_in(balance, key));
        differ = differ || box.front() != box.back();
        names.push_back(method["name"]);
        boxes.push_back({{"value", std::move(box)},
                         {"itemStyle", {{"borderColor", look_of_method(text_of(method["name"])).colour}}}});
    }
    if (!differ) return std::nullopt;
    Json option = empty_chart("Encoded size of chunks, relative to their mean");
    option["tooltip"]["trigger"] = "item";
    option["grid"]["top"] = 44;
    option["xAxis"] = number_axis("size / mean size", 26);
    option["xAxis"]["scale"] = true;
    option["yAxis"] = {{"type", "category"},
                       {"inverse", true},
                       {"data", names},
                       {"axisLabel", {{"width", 120}, {"overflow", "truncate"}}}};
    option["series"].push_back({{"name", "chunks"}, {"type", "boxplot"}, {"data", boxes}});
    return option;
}

}   // namespace oscar
