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

/// A line through the points of a method; none without points.
void add_line(Json& chart, const Json& method, Json points) {
    if (points.empty()) return;
    chart["series"].push_back(series_of_method(method["name"].get<std::string>()));
    chart["series"].back()["points"] = std::move(points);
}

std::optional<Json> with_series(Json chart) {
    if (chart["series"].empty()) return std::nullopt;
    return chart;
}

}   // namespace

std::optional<Json> chart_of_links_over_time(const Json& methods) {
    Json chart = heat_map("Utilisation of links over time, percent");
    std::size_t intervals = 0;
    const std::size_t most = std::clamp<std::size_t>(most_links / methods.size(), 1, most_links_of_a_method);
    for (const Json& method : methods)
        for (const Json& link : links_shown(method, most)) {
            const Json shares = shares_of(link);
            intervals = std::max(intervals, shares.size());
            for (std::size_t i = 0; i < shares.size(); ++i)
                chart["cells"].push_back({i, chart["rows"].size(), std::round(shares[i].get<double>() * 1000) / 10});
            chart["rows"].push_back(fmt::format("{}: {}", text_of(method["name"]), name_of(link)));
        }
    if (chart["rows"].empty()) return std::nullopt;
    for (std::size_t i = 0; i < intervals; ++i)
        chart["columns"].push_back(
            fmt::format("{:g}", 100.0 * static_cast<double>(i) / static_cast<double>(intervals)));
    chart["x"]["title"] = "percent of the method's time";
    chart["step"] = 15;
    return chart;
}

std::optional<Json> chart_of_queues(const Json& methods) {
    Json chart = line_chart("Messages that a rank is sending", "time, us", "messages");
    chart["ends"] = false;   // methods end at different times, each at 0
    chart["y"]["zero"] = true;
    for (const Json& method : methods) {
        const Json sending = list_of(method, "activity", "sending");
        const double interval = figure_in(method.value("activity", Json::object()), "interval_ps");
        Json points = Json::array();
        for (std::size_t i = 0; i < sending.size(); ++i)
            points.push_back({in_us(interval * (static_cast<double>(i) + 0.5)), sending[i]});
        add_line(chart, method, std::move(points));
    }
    return with_series(std::move(chart));
}

std::optional<Json> chart_of_bits(const Json& methods) {
    Json chart = line_chart("Bits a value in each timestep", "timestep", "bits a value");
    chart["y"]["zero"] = true;
    for (const Json& method : methods) {
        const Json bits = list_of(method, "timesteps", "bits_per_value");
        Json points = Json::array();
        for (std::size_t i = 0; i < bits.size(); ++i) points.push_back({i, bits[i]});
        if (points.size() > 1) add_line(chart, method, std::move(points));
    }
    return with_series(std::move(chart));
}

std::optional<Json> chart_of_chunks(const Json& methods) {
    Json chart{{"kind", "boxes"},
               {"title", "Encoded size of chunks, relative to their mean"},
               {"x", "size / mean size"},
               {"rows", Json::array()}};
    bool differ = false;
    for (const Json& method : methods) {
        const Json balance = method.value("chunk_balance", Json());
        if (!balance.is_object()) continue;
        Json box = Json::array();
        for (const char* key : {"least", "first_quartile", "median", "third_quartile", "largest"})
            box.push_back(figure_in(balance, key));
        differ = differ || box.front() != box.back();
        chart["rows"].push_back(method["name"]);
        chart["boxes"].push_back(
            {{"values", std::move(box)}, {"colour", look_of_method(text_of(method["name"])).colour}});
    }
    if (!differ) return std::nullopt;
    return chart;
}

}   // namespace oscar
