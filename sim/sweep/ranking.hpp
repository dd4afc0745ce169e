// The best points of a sweep by any figure, and its Pareto front by any two.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/conditions.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/sql.hpp"

namespace oscar {

/// A figure of a method, and whether its largest or its smallest value is best.
struct Objective {
    std::string metric;   ///< a column of the view `methods`
    bool largest = false;
};

/// Reads objectives as `--best` has them: one figure or two, with a comma between: `allreduce_ps`, `max:cosine`.
/// Without `max:` or `min:` the largest of speed-ups, cosines and bandwidths is best, and the smallest of all others.
/// InputError: more than two, or none; a figure that methods of `plan` do not have.
std::vector<Objective> read_objectives(const std::string& text, const SweepPlan& plan);

/// A point and method with its figures.
struct RankedPoint {
    std::size_t position = 0;   ///< in the plan
    std::string method;
    std::vector<double> values;         ///< of each objective
    std::optional<double> error = {};   ///< its relative L2 error
    std::size_t equal = 0;              ///< later points of the method with the same figures, which it stands for
    friend bool operator==(const RankedPoint&, const RankedPoint&) = default;
};

inline constexpr std::size_t most_ranked = 10;

/// With one objective: the most_ranked best points and methods, the best first. With two: those than which no other is
/// better in one and as good in the other, the best in the first figure first. Points without these figures do not
/// count; of equal ones the first of the plan comes first, and of those of one method it stands for all.
std::vector<RankedPoint> best_by(const SQLite::Database& database, const std::vector<Objective>& objectives,
                                 const Eligible& eligible = {});

/// The least relative L2 error of the eligible methods of all points; none if there is none.
std::optional<double> least_error(const SQLite::Database& database, const Eligible& eligible);

}   // namespace oscar
