#include "sim/sweep/best_points.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/sweep/database.hpp"

namespace oscar {
namespace {

/// Points of methods, largest speed-up first.
std::string gains_query(const SweepPlan& plan, const std::vector<Condition>& conditions) {
    const Eligible eligible{conditions, {plan.methods.front()}};
    return fmt::format(
        "SELECT position, method, {0}, allreduce_ps, bottleneck, relative_l2_error FROM methods WHERE {0} "
        "IS NOT NULL{1} ORDER BY {0} DESC, relative_l2_error, allreduce_ps, position",
        sql::identifier(speedup_name(plan.methods.front())), eligible.and_eligible());
}

BestPoint point_in(SQLite::Statement& query, const SweepPlan& plan) {
    const auto position = static_cast<std::size_t>(query.getColumn(0).getInt64());
    BestPoint point{position,
                    to_text(plan.points[position].settings),
                    query.getColumn(1).getString(),
                    query.getColumn(2).getDouble(),
                    query.getColumn(3).getInt64(),
                    query.getColumn(4).getString()};
    if (const auto error = query.getColumn(5); error.isFloat() || error.isInteger()) point.error = error.getDouble();
    return point;
}

/// True if the error is at most half of that of the point that was kept before.
bool halves(const BestPoint& point, const BestPoint& before) {
    return point.error && before.error && *point.error <= *before.error / 2;
}

}   // namespace

std::vector<BestPoint> best_points(const SQLite::Database& database, const SweepPlan& plan,
                                   const std::vector<Condition>& conditions) {
    SQLite::Statement query(database, gains_query(plan, conditions));
    std::vector<std::vector<BestPoint>> kept;   // of each method
    while (query.executeStep()) {
        BestPoint point = point_in(query, plan);
        const auto own = std::ranges::find(kept, point.method, [](const auto& points) { return points[0].method; });
        if (own == kept.end()) kept.push_back({std::move(point)});
        else if (halves(point, own->back())) own->push_back(std::move(point));
    }
    std::vector<BestPoint> best;
    for (auto& points : kept) best.insert(best.end(), points.begin(), points.end());
    return best;
}

}   // namespace oscar
