#include "sim/sweep/ranking.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/error.hpp"
#include "sim/config/suggest.hpp"
#include "sim/sweep/database.hpp"

namespace oscar {
namespace {

std::vector<std::string> figures_of(const SweepPlan& plan) {
    std::vector<std::string> figures = metric_names(plan.costed);
    for (const std::string& method : plan.methods) figures.push_back(speedup_name(method));
    return figures;
}

Objective read_objective(std::string text, const std::vector<std::string>& figures) {
    const bool max = text.starts_with("max:"), min = text.starts_with("min:");
    if (max || min) text.erase(0, 4);
    if (std::ranges::find(figures, text) == figures.end()) {
        const std::vector<std::string_view> names(figures.begin(), figures.end());
        throw InputError(fmt::format("--best {}: no such figure of a method{}; oscar-sim describe report lists them",
                                     text, did_you_mean(text, names)));
    }
    return {text, max || (!min && largest_is_best(text))};
}

std::string order_of(const Objective& objective) {
    return sql::identifier(objective.metric) + (objective.largest ? " DESC" : "");
}

/// Keeps of points in the order of both objectives those that are better in the second than all before them.
void keep_front(std::vector<RankedPoint>& points, const Objective& second) {
    std::vector<RankedPoint> front;
    for (RankedPoint& point : points) {
        if (!front.empty()) {
            const double best = front.back().values[1], here = point.values[1];
            const bool better = second.largest ? here > best : here < best;
            if (!better && point.values != front.back().values) continue;
        }
        front.push_back(std::move(point));
    }
    points = std::move(front);
}

}   // namespace

bool largest_is_best(std::string_view figure) {
    return figure.starts_with("speedup.") || figure == "cosine" || figure == "bus_bandwidth_gbps" ||
           figure == "algorithm_bandwidth_gbps";
}

std::vector<Objective> read_objectives(const std::string& text, const SweepPlan& plan) {
    const std::vector<std::string> figures = figures_of(plan);
    std::vector<Objective> objectives;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        objectives.push_back(read_objective(text.substr(begin, end - begin), figures));
        begin = end + 1;
    }
    if (objectives.size() > 2)
        throw InputError(fmt::format("--best {}: names {} figures; name one, or two for their Pareto front", text,
                                     objectives.size()));
    return objectives;
}

std::vector<RankedPoint> best_by(const SQLite::Database& database, const std::vector<Objective>& objectives) {
    std::string columns, condition, order;
    for (const Objective& objective : objectives) {
        columns += ", " + sql::identifier(objective.metric);
        condition += fmt::format("{} typeof({}) IN ('integer', 'real')", condition.empty() ? "" : " AND",
                                 sql::identifier(objective.metric));
        order += order_of(objective) + ", ";
    }
    const bool front = objectives.size() > 1;
    SQLite::Statement query(database,
                            fmt::format("SELECT position, method{} FROM methods WHERE{} ORDER BY {}position{}", columns,
                                        condition, order, front ? "" : fmt::format(" LIMIT {}", most_ranked)));
    std::vector<RankedPoint> points;
    while (query.executeStep()) {
        RankedPoint& point = points.emplace_back();
        point.position = static_cast<std::size_t>(query.getColumn(0).getInt64());
        point.method = query.getColumn(1).getString();
        for (std::size_t i = 0; i < objectives.size(); ++i)
            point.values.push_back(query.getColumn(static_cast<int>(2 + i)).getDouble());
    }
    if (front) keep_front(points, objectives[1]);
    return points;
}

}   // namespace oscar
