#include "sim/page/training_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/page/charts.hpp"
#include "sim/page/html.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

/// A point of a method's curve: over the seeds that came so far.
struct CurvePoint {
    double x = 0, mean = 0, deviation = 0;
};

std::vector<CurvePoint> curve_of(const TrainedMethod& method, const auto& x_of) {
    std::vector<CurvePoint> curve;
    for (std::size_t i = 0;; ++i) {
        TrainedMethod so_far{method.name, {}};   // whose last evaluations are these
        double x = 0;
        for (const TrainingRun& run : method.runs)
            if (i < run.evaluations.size()) {
                x += x_of(run.evaluations[i]);
                so_far.runs.push_back({run.seed, {}, {run.evaluations[i]}});
            }
        const auto quality = so_far.quality();
        if (!quality) return curve;
        curve.push_back({x / static_cast<double>(so_far.runs.size()), quality->mean, quality->deviation});
    }
}

double to_five_places(double value) { return std::round(value * 1e5) / 1e5; }

/// Points of a curve, and its band of one deviation; without deviations it has none.
Json series_of(const std::string& name, const std::vector<CurvePoint>& curve) {
    Json series = series_of_method(name);
    const bool has_band = std::ranges::any_of(curve, [](const CurvePoint& point) { return point.deviation > 0; });
    for (const CurvePoint& point : curve) {
        const double x = to_five_places(point.x);
        series["points"].push_back({x, to_five_places(point.mean)});
        if (has_band)
            series["band"].push_back(
                {x, to_five_places(point.mean - point.deviation), to_five_places(point.mean + point.deviation)});
    }
    return series;
}

/// Curves that are shown at first: those of dense and of the methods that come to the target soonest.
constexpr std::size_t curves_at_first = 8;

/// Names of the curves shown at first; a click in the legend shows others.
Json shown_of(const TrainingResults& trainings) {
    std::vector<const TrainedMethod*> by_time;
    for (const TrainedMethod& method : trainings.methods) by_time.push_back(&method);
    std::ranges::stable_sort(by_time.begin() + 1, by_time.end(), {}, [&](const TrainedMethod* method) {
        return trainings.time_to_target(*method).value_or(std::numeric_limits<double>::infinity());
    });
    Json names = Json::array();
    for (std::size_t i = 0; i < by_time.size() && i < curves_at_first; ++i) names.push_back(by_time[i]->name);
    return names;
}

Json chart_of_quality(const TrainingResults& trainings, const char* title, const char* x_name, const auto& x_of) {
    Json chart = line_chart(title, x_name, trainings.metric.c_str());
    chart["y"]["zoom"] = trainings.rising ? "rising" : "falling";
    chart["height"] = 380;
    chart["shown"] = shown_of(trainings);
    for (const TrainedMethod& method : trainings.methods) {
        const auto curve = curve_of(method, x_of);
        if (!curve.empty()) chart["series"].push_back(series_of(method.name, curve));
    }
    if (const auto target = trainings.target()) chart["rule"] = {{"y", to_five_places(*target)}, {"text", "target"}};
    return chart;
}

/// Of the last evaluations of the seeds that came to one, at least one, the median figure.
double median_end(const TrainedMethod& method, const auto& figure_of) {
    std::vector<double> ends;
    for (const TrainingRun& run : method.runs)
        if (!run.evaluations.empty()) ends.push_back(figure_of(run.evaluations.back()));
    std::ranges::sort(ends);
    const std::size_t half = ends.size() / 2;
    return ends.size() % 2 == 1 ? ends[half] : (ends[half - 1] + ends[half]) / 2;
}

std::string text_or_never(const std::optional<double>& seconds) {
    return seconds ? fmt::format("{:.3f}", *seconds) : "never";
}

std::string table_of_methods(const TrainingResults& trainings) {
    Rows rows{
        {"method", "seeds", "quality", "±", "steps", "simulated s", "s to target", "times dense's", "MiB", "ended"}};
    const auto of_dense = trainings.time_to_target(trainings.methods.front());
    for (const TrainedMethod& method : trainings.methods) {
        const auto quality = method.quality();
        if (!quality) {
            rows.push_back({method.name, std::to_string(method.runs.size()), "-", "-", "-", "-", "-", "-", "-",
                            method.runs.front().ended});
            continue;
        }
        const auto time = trainings.time_to_target(method);
        rows.push_back(
            {method.name, std::to_string(method.runs.size()), fmt::format("{:.4f}", quality->mean),
             method.runs.size() > 1 ? fmt::format("{:.4f}", quality->deviation) : "-",
             fmt::format("{:.0f}", median_end(method, [](const Evaluation& e) { return static_cast<double>(e.step); })),
             fmt::format("{:.3f}", median_end(method, [](const Evaluation& e) { return e.seconds; })),
             text_or_never(time), time && of_dense ? fmt::format("{:.3f}", *time / *of_dense) : "-",
             fmt::format("{:.1f}", median_end(method, [](const Evaluation& e) { return e.payload_bytes; }) / (1 << 20)),
             method.runs.front().ended});
    }
    return html_table(
        "Quality is the mean of the last three evaluations, over the seeds; other figures are of the median seed",
        rows);
}

}   // namespace

std::string training_section(const TrainingResults& trainings) {
    std::string text = fmt::format("<section>\n<h2>Trainings {}</h2>\n", escaped(trainings.folder.filename().string()));
    text += fmt::format("<p>Metric: {}; {} is better.", escaped(trainings.metric), trainings.rising ? "more" : "less");
    if (const auto target = trainings.target())
        text += fmt::format(
            " Target: {:.4f}, what dense training reaches in the mean of its seeds {} one standard "
            "deviation.",
            *target, trainings.rising ? "less" : "plus");
    text += "</p>\n";
    text += html_chart(
        "The mean of three evaluations and of the seeds, over simulated time: a step takes as long as its "
        "exchange and its computation. The axis covers what follows the steep start. A click on a name shows or hides "
        "its curve.",
        chart_of_quality(trainings, "Quality by simulated time", "simulated seconds",
                         [](const Evaluation& e) { return e.seconds; }));
    text += html_chart("The same by step: what the method does to training, whatever its speed.",
                       chart_of_quality(trainings, "Quality by step", "step",
                                        [](const Evaluation& e) { return static_cast<double>(e.step); }));
    return text + table_of_methods(trainings) + "</section>\n";
}

}   // namespace oscar
