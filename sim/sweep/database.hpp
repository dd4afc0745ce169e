// DIR/points.sqlite: the plan of the sweep, and every result that was ever computed, by key.
//
//     plan          position, key, a column per swept key: what the sweep file says now
//     results       key, program, status, exit_status, error, report: what was computed, also for earlier plans
//     metrics       key, method_position, method, metric, value: the figures of the reports
//     computations  key, wall_s, host: what each computation cost, in the order in which they ended
//     points        view: one row per point of the plan, with status and all figures as METHOD.METRIC
//     methods       view: one row per point and method, with all figures and speed-ups
//
// All but `computations` is a function of the plan, however often the sweep was interrupted.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/best_points.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/ranking.hpp"
#include "sim/sweep/sql.hpp"

namespace oscar {

/// The result of a point: a report, or an error with the exit status that `oscar-sim run` would have had.
struct PointResult {
    int exit_status = 0;
    std::string error;    ///< one line; empty if there is none
    std::string report;   ///< report.json; empty if there is an error
    double wall_s = 0;
};

/// The number of points of the plan in each status.
struct PointCounts {
    std::size_t pending = 0, done = 0, failed = 0;
};

/// The open database. Each change is one transaction: whatever kills the program, a result is there whole or not at
/// all. InputError: the file is no database of this program, or a damaged one; too many columns. SQLite::Exception,
/// without the file's name: disk full and the like; see refuse_database.
class Database {
public:
    explicit Database(const std::filesystem::path& file);

    /// Makes `plan` the plan of the database. Results stay, also of points that are no longer planned.
    void set_plan(const SweepPlan& plan);

    /// Positions of the points without result, in order; with `failed`, also of those whose result is an error.
    std::vector<std::size_t> pending(bool failed) const;
    /// Counts the points of the plan only, not results of earlier plans.
    PointCounts counts() const;

    /// The status of the point with this key, planned or not: `done`, `failed` or `pending`.
    std::string status_of(const std::string& key) const;

    /// See best_points.
    std::vector<BestPoint> best(const SweepPlan& plan, const std::vector<Condition>& conditions = {}) const;
    /// See best_by.
    std::vector<RankedPoint> best(const std::vector<Objective>& objectives, const Eligible& eligible) const;
    /// See least_error.
    std::optional<double> smallest_error(const Eligible& eligible) const;

    /// Keeps the result of a point, in place of an older one.
    void record(const std::string& key, const std::string& program, const PointResult& result);

    /// A table or view, whole, in the order of its rows' positions.
    sql::Table read(const std::string& name) const;

private:
    void record_metrics(const std::string& key, const nlohmann::ordered_json& report);
    SQLite::Database connection_;
};

/// The figures of one method in report.json, speed-ups excepted: all statistics of methods, with those that a
/// technology adds if it is `costed`, and those of tiers if it is `tiered`; that of an object is "object.key".
std::vector<std::string> metric_names(bool costed, bool tiered = false);

/// The figure of the table `metrics` that is the speed-up over `baseline`.
std::string speedup_name(const std::string& baseline);

/// SQL that drops the views `points` and `methods` of database.hpp and makes them for the keys and methods of a plan.
std::string make_views(const SweepPlan& plan);

}   // namespace oscar
