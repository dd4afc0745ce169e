#include "sim/sweep/ranking.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "sim/config/error.hpp"
#include "sim/sweep/sweep_results.hpp"

namespace oscar {
namespace {

Objective read_objective(std::string text, const SweepPlan& plan) {
    const bool max = text.starts_with("max:"), min = text.starts_with("min:");
    if (max || min) text.erase(0, 4);
    require_figure("--best", text, plan);
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

std::string query_of(const std::vector<Objective>& objectives, const Eligible& eligible) {
    std::string columns, condition, order;
    for (const Objective& objective : objectives) {
        columns += ", " + sql::identifier(objective.metric);
        condition += fmt::format("{} typeof({}) IN ('integer', 'real')", condition.empty() ? "" : " AND",
                                 sql::identifier(objective.metric));
        order += order_of(objective) + ", ";
    }
    return fmt::format("SELECT position, method, relative_l2_error{} FROM methods WHERE{}{} ORDER BY {}position",
                       columns, condition, eligible.and_eligible(), order);
}

std::optional<double> number_in(const SQLite::Column& column) {
    return column.isNull() || column.isText() ? std::nullopt : std::optional(column.getDouble());
}

/// The points that the query gives, of those of a method with equal figures the first.
std::vector<RankedPoint> folded(SQLite::Statement& query, std::size_t objectives) {
    std::vector<RankedPoint> points;
    std::map<std::tuple<std::string, std::vector<double>, std::optional<double>>, std::size_t> first;
    while (query.executeStep()) {
        RankedPoint point{static_cast<std::size_t>(query.getColumn(0).getInt64()),
                          query.getColumn(1).getString(),
                          {},
                          number_in(query.getColumn(2))};
        for (std::size_t i = 0; i < objectives; ++i)
            point.values.push_back(query.getColumn(static_cast<int>(3 + i)).getDouble());
        const auto [seen, is_new] = first.try_emplace({point.method, point.values, point.error}, points.size());
        if (is_new) points.push_back(std::move(point));
        else ++points[seen->second].equal;
    }
    return points;
}

}   // namespace

std::vector<Objective> read_objectives(const std::string& text, const SweepPlan& plan) {
    std::vector<Objective> objectives;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        objectives.push_back(read_objective(text.substr(begin, end - begin), plan));
        begin = end + 1;
    }
    if (objectives.size() > 2)
        throw InputError(fmt::format("--best {}: names {} figures; name one, or two for their Pareto front", text,
                                     objectives.size()));
    return objectives;
}

std::vector<RankedPoint> best_by(const SQLite::Database& database, const std::vector<Objective>& objectives,
                                 const Eligible& eligible) {
    SQLite::Statement query(database, query_of(objectives, eligible));
    std::vector<RankedPoint> points = folded(query, objectives.size());
    if (objectives.size() > 1) keep_front(points, objectives[1]);
    else if (points.size() > most_ranked) points.resize(most_ranked);
    return points;
}

std::optional<double> least_error(const SQLite::Database& database, const Eligible& eligible) {
    SQLite::Statement query(database,
                            "SELECT min(relative_l2_error) FROM methods WHERE typeof(relative_l2_error) IN "
                            "('integer', 'real')" +
                                eligible.and_eligible());
    query.executeStep();
    return number_in(query.getColumn(0));
}

}   // namespace oscar
