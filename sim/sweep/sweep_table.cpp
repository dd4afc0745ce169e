#include "sim/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

std::string gains(const SweepEnd& end, const Screen& screen) {
    std::vector<Row> rows{{"method", "x " + end.baseline, "time us", "limited by", "at point"}};
    std::map<std::size_t, std::string> points;
    for (const BestPoint& best : end.best) {
        rows.push_back({best.method, fmt::format("{:.3f}", best.speedup), microseconds(best.allreduce_ps),
                        best.bottleneck, std::to_string(best.position)});
        points.emplace(best.position, best.settings);
    }
    std::string text = fmt::format("\nWhere each method gains most over {}:\n", end.baseline) + aligned(rows, screen);
    for (const auto& [position, settings] : points)
        text += paragraph(fmt::format("point {}: {}", position, settings), screen.width, 2);
    return text + "\n";
}

std::string figure(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.6g}", value);
}

std::string ranking(const SweepEnd& end, const Screen& screen) {
    std::vector<Row> rows{{"point", "method"}};
    std::map<std::size_t, std::string> points;
    std::string title = end.objectives.size() == 1 ? "The best points by " : "The Pareto front of ";
    for (const Objective& objective : end.objectives) {
        rows.front().emplace_back(objective.metric);
        title += fmt::format("{}{} ({} is better)", &objective == &end.objectives.front() ? "" : " and ",
                             objective.metric, objective.largest ? "more" : "less");
    }
    for (std::size_t i = 0; i < end.ranked.size(); ++i) {
        const RankedPoint& point = end.ranked[i];
        Row& row = rows.emplace_back(Row{std::to_string(point.position), point.method});
        for (const double value : point.values) row.emplace_back(figure(value));
        points.emplace(point.position, end.settings[i]);
    }
    if (end.ranked.empty()) return "\nNo point has these figures.\n\n";
    std::string text = "\n" + paragraph(title + ":", screen.width) + aligned(rows, screen);
    for (const auto& [position, settings] : points)
        text += paragraph(fmt::format("point {}: {}", position, settings), screen.width, 2);
    return text + "\n";
}

}   // namespace

std::string tally_text(const Tally& tally) {
    return fmt::format("{} points: {} done, {} failed, {} pending; {} computed now\n", tally.points, tally.done,
                       tally.failed, tally.points - tally.done - tally.failed, tally.computed);
}

std::string to_table(const SweepEnd& end, const Screen& screen) {
    const bool asked = !end.objectives.empty();
    const std::string best = asked ? ranking(end, screen) : end.best.empty() ? "" : gains(end, screen);
    return tally_text({end.points, end.done, end.failed, end.computed}) + best +
           fmt::format("{0}/points.sqlite\n{0}/points.csv\n{0}/methods.csv\n", end.folder);
}

}   // namespace oscar
