#include "sim/sweep/sweep_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

/// As the tables of a run show it.
std::string error_text(const std::optional<double>& error) { return error ? fmt::format("{:.2e}", *error) : "-"; }

/// ` with relative_l2_error < 0.05`: the conditions of a ranking.
std::string conditions_text(const SweepEnd& end) {
    std::string text;
    for (const Condition& condition : end.conditions)
        text += fmt::format("{}{} {} {}", text.empty() ? " with " : " and ", condition.figure, condition.comparison,
                            condition.limit);
    return text;
}

constexpr const char* error_figure = "relative_l2_error";

/// A sentence where the best point has twice the error of another or more, and no condition limits it.
std::string warning(const SweepEnd& end, const std::string& name, const std::optional<double>& error,
                    const Screen& screen) {
    const bool limited = std::ranges::find(end.conditions, error_figure, &Condition::figure) != end.conditions.end();
    if (limited || !error || !end.least_error || *error < 2 * *end.least_error) return "";
    const std::string note = fmt::format(
        "NOTE: {} has an L2 error of {}; that of others is as small as {}. --where '{}<{:.2g}' ranks below a limit.",
        name, error_text(error), error_text(end.least_error), error_figure, 1.5 * *end.least_error);
    return styled(paragraph(note, screen.width, 2), TextStyle::strong, screen);
}

std::string list_of_points(const std::map<std::size_t, std::string>& points, const Screen& screen) {
    std::string text;
    for (const auto& [position, settings] : points)
        text += paragraph(fmt::format("point {}: {}", position, settings), screen.width, 2);
    return text;
}

std::string no_point(const SweepEnd& end) {
    return fmt::format("\nNo point has these figures{}.\n\n", conditions_text(end));
}

std::string gains(const SweepEnd& end, const Screen& screen) {
    if (end.best.empty()) return end.conditions.empty() ? "" : no_point(end);
    std::vector<Row> rows{{"method", "x " + end.baseline, "time us", "L2 error", "limited by", "at point"}};
    std::map<std::size_t, std::string> points;
    for (const BestPoint& best : end.best) {
        rows.push_back({best.method, fmt::format("{:.3f}", best.speedup), microseconds(best.allreduce_ps),
                        error_text(best.error), best.bottleneck, std::to_string(best.position)});
        points.emplace(best.position, best.settings);
    }
    const std::string title =
        fmt::format("Where each method gains most over {}{}:", end.baseline, conditions_text(end));
    const BestPoint& first = end.best.front();
    return "\n" + paragraph(title, screen.width) + aligned(rows, screen) + list_of_points(points, screen) +
           warning(end, fmt::format("{} at point {}", first.method, first.position), first.error, screen) + "\n";
}

std::string figure(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.6g}", value);
}

std::string title_of_ranking(const SweepEnd& end) {
    std::string title = end.objectives.size() == 1 ? "The best points by " : "The Pareto front of ";
    for (const Objective& objective : end.objectives)
        title += fmt::format("{}{} ({} is better)", &objective == &end.objectives.front() ? "" : " and ",
                             objective.metric, objective.largest ? "more" : "less");
    title += conditions_text(end);
    if (!end.left_out.empty()) title += fmt::format(", without {}", fmt::join(end.left_out, ", "));
    return title + ":";
}

/// The rows of a ranking, below their headings.
std::vector<Row> rows_of_ranking(const SweepEnd& end) {
    const bool adds_error = std::ranges::find(end.objectives, error_figure, &Objective::metric) == end.objectives.end();
    const bool folds = std::ranges::any_of(end.ranked, [](const RankedPoint& point) { return point.equal > 0; });
    std::vector<Row> rows{{"point", "method"}};
    for (const Objective& objective : end.objectives) rows.front().emplace_back(objective.metric);
    if (adds_error) rows.front().emplace_back("L2 error");
    if (folds) rows.front().emplace_back("equal points");
    for (const RankedPoint& point : end.ranked) {
        Row& row = rows.emplace_back(Row{std::to_string(point.position), point.method});
        for (const double value : point.values) row.emplace_back(figure(value));
        if (adds_error) row.emplace_back(error_text(point.error));
        if (folds) row.emplace_back(point.equal == 0 ? "" : fmt::format("{} more", point.equal));
    }
    return rows;
}

std::string ranking(const SweepEnd& end, const Screen& screen) {
    if (end.ranked.empty()) return no_point(end);
    std::map<std::size_t, std::string> points;
    for (std::size_t i = 0; i < end.ranked.size(); ++i) points.emplace(end.ranked[i].position, end.settings[i]);
    const RankedPoint& first = end.ranked.front();
    const bool crowned = end.objectives.size() == 1;
    return "\n" + paragraph(title_of_ranking(end), screen.width) + aligned(rows_of_ranking(end), screen) +
           list_of_points(points, screen) +
           (crowned ? warning(end, fmt::format("{} at point {}", first.method, first.position), first.error, screen)
                    : "") +
           "\n";
}

}   // namespace

std::string tally_text(const Tally& tally) {
    return fmt::format("{} points: {} done, {} failed, {} pending; {} computed now\n", tally.points, tally.done,
                       tally.failed, tally.points - tally.done - tally.failed, tally.computed);
}

std::string to_table(const SweepEnd& end, const Screen& screen) {
    const bool asked = !end.objectives.empty();
    const std::string best = asked ? ranking(end, screen) : gains(end, screen);
    return tally_text({end.points, end.done, end.failed, end.computed}) + best +
           fmt::format("{0}/points.sqlite\n{0}/points.csv\n{0}/methods.csv\n", end.folder);
}

}   // namespace oscar
