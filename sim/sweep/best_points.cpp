#include "sim/sweep/best_points.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>

#include "sim/sweep/database.hpp"

namespace oscar {

std::vector<BestPoint> best_points(const SQLite::Database& database, const SweepPlan& plan) {
    const std::string speedup = sql::identifier(speedup_name(plan.methods.front()));
    SQLite::Statement query(database, fmt::format("SELECT position, method, {0}, allreduce_ps, bottleneck FROM "
                                                  "(SELECT *, row_number() OVER (PARTITION BY method ORDER BY {0} "
                                                  "DESC, allreduce_ps, position) AS place FROM methods WHERE {0} IS "
                                                  "NOT NULL) WHERE place = 1 ORDER BY {0} DESC, allreduce_ps, method",
                                                  speedup));
    std::vector<BestPoint> best;
    while (query.executeStep()) {
        const auto position = static_cast<std::size_t>(query.getColumn(0).getInt64());
        best.push_back({position, to_text(plan.points[position].settings), query.getColumn(1).getString(),
                        query.getColumn(2).getDouble(), query.getColumn(3).getInt64(), query.getColumn(4).getString()});
    }
    return best;
}

}   // namespace oscar
