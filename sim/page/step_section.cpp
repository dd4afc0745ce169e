#include "sim/page/step_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/html.hpp"
#include "sim/page/numbers.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

struct KindOfSpan {
    std::string_view colour, ink;   ///< of the span, and of the text on it
};
constexpr KindOfSpan pass{"#56B4E9", "#1b1b1b"}, optimiser{"#CC79A7", "#1b1b1b"}, bucket{"#E69F00", "#1b1b1b"},
    exposed{"#D55E00", "#ffffff"};

/// The methods with a step, the shortest first.
std::vector<Json> with_steps(const Json& methods) {
    std::vector<Json> found;
    for (const Json& method : methods)
        if (method.contains("step") && method["step"].is_object()) found.push_back(method);
    std::ranges::stable_sort(found, {}, [](const Json& method) { return figure_in(method["step"], "step_ps"); });
    return found;
}

/// Spans of a step on the two lanes of its method, in us.
struct Spans {
    std::string computation, network;
    Json all = Json::array();

    void add(const std::string& lane, const std::string& name, const std::string& label, double from, double to,
             const KindOfSpan& kind) {
        if (to > from)
            all.push_back({{"lane", lane},
                           {"name", name},
                           {"short", label},
                           {"from", from * 1e-6},
                           {"to", to * 1e-6},
                           {"colour", kind.colour},
                           {"ink", kind.ink}});
    }
};

/// The backward pass ends when the last bucket is ready where parameters are gathered between passes, else after both.
double end_of_backward(const Json& step, double end_of_forward) {
    const Json buckets = step.value("buckets", Json::array());
    if (step.contains("sharding") && !buckets.empty()) return figure_in(buckets.back(), "ready_ps");
    return end_of_forward + figure_in(step, "backward_ps");
}

void add_passes(const Json& step, Spans& spans) {
    const double forward = figure_in(step, "forward_ps") +
                           figure_in(step.value("sharding", Json::object()), "exposed_gather_forward_ps"),
                 backward = end_of_backward(step, forward), end = figure_in(step, "step_ps");
    const bool gathers = step.contains("sharding");
    spans.add(spans.computation, gathers ? "forward pass and waiting for parameters" : "forward pass", "forward", 0,
              forward, pass);
    spans.add(spans.computation, gathers ? "backward pass and waiting for parameters" : "backward pass", "backward",
              forward, backward, pass);
    spans.add(spans.computation, "optimiser", "optimiser", end - figure_in(step, "optimiser_ps"), end, optimiser);
}

/// A bucket's part behind the backward pass is exposed.
void add_buckets(const Json& step, Spans& spans) {
    const double backward = end_of_backward(step, figure_in(step, "forward_ps"));
    std::size_t number = 0;
    for (const Json& one : step.value("buckets", Json::array())) {
        const double from = figure_in(one, "start_ps"), to = figure_in(one, "end_ps");
        const std::string label = std::to_string(number), name = fmt::format("bucket {}", number);
        spans.add(spans.network, name + ", hidden", label, from, std::min(to, std::max(from, backward)), bucket);
        spans.add(spans.network, name + ", exposed", label, std::max(from, std::min(to, backward)), to, exposed);
        ++number;
    }
}

std::string speed_up_of_step(const Json& step, const std::string& baseline) {
    const double factor = figure_in(step.value("speedup", Json::object()), baseline);
    return factor > 0 ? fmt::format("{:.2f}x", factor) : "–";
}

}   // namespace

std::optional<Json> timeline_of_steps(const Json& methods) {
    Json chart{{"kind", "timeline"}, {"title", "The training step: passes and buckets"}, {"x", "time, us"}};
    chart["legend"] = {{{"name", "passes"}, {"colour", pass.colour}},
                       {{"name", "optimiser"}, {"colour", optimiser.colour}},
                       {{"name", "bucket on the network, hidden"}, {"colour", bucket.colour}},
                       {{"name", "exposed"}, {"colour", exposed.colour}}};
    chart["spans"] = Json::array();
    for (const Json& method : with_steps(methods)) {
        const std::string name = method["name"].get<std::string>();
        const Json& step = method["step"];
        Spans spans{name, name + ", network"};
        add_passes(step, spans);
        add_buckets(step, spans);
        for (Json& span : spans.all) chart["spans"].push_back(std::move(span));
        for (const std::string& lane : {spans.computation, spans.network}) chart["lanes"].push_back(lane);
        const double us = figure_in(step, "step_ps") * 1e-6;
        chart["ends"].push_back({{"lane", name}, {"at", us}, {"text", fmt::format("{} us", three_digits(us))}});
    }
    if (!chart.contains("lanes")) return std::nullopt;
    return chart;
}

std::string chart_of_steps(const Json& methods) {
    const auto timeline = timeline_of_steps(methods);
    if (!timeline) return "";
    return html_chart(
        "Mean over iterations, the shortest step first. The number of a bucket is its place in the order of sending; "
        "what "
        "lies behind the backward pass is exposed.",
        *timeline);
}

std::string headline_of_steps(const Json& methods, const std::string& baseline) {
    const std::vector<Json> sorted = with_steps(methods);
    if (sorted.empty()) return "";
    const Json &method = sorted.front(), &step = method["step"];
    std::string text = fmt::format("The training step is shortest with <b>{}</b>: {} us",
                                   escaped(text_of(method["name"])), in_microseconds(figure_in(step, "step_ps")));
    if (method["name"] != baseline)
        text += fmt::format(", {} as fast as with {}", speed_up_of_step(step, baseline), escaped(baseline));
    return text + ". ";
}

std::string table_of_steps(const Json& methods, const std::string& baseline) {
    std::vector<std::vector<std::string>> rows{{"method", "step us", "over " + baseline, "passes us", "optimiser us",
                                                "communication us", "exposed us", "exposed %", "L2 error"}};
    for (const Json& method : with_steps(methods)) {
        const Json& step = method["step"];
        const auto us = [&](const char* key) { return in_microseconds(figure_in(step, key)); };
        rows.push_back({text_of(method["name"]), us("step_ps"), speed_up_of_step(step, baseline),
                        in_microseconds(figure_in(step, "forward_ps") + figure_in(step, "backward_ps")),
                        us("optimiser_ps"), us("communication_ps"), us("exposed_ps"),
                        three_digits(100 * figure_in(step, "exposed_share")),
                        cell_of(method.value("relative_l2_error", Json()))});
    }
    return rows.size() == 1 ? "" : html_table("The training step around the AllReduce", rows);
}

}   // namespace oscar
