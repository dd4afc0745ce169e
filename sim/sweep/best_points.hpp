// Where in a sweep each method gains most: what a user looks for first in its results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/conditions.hpp"
#include "sim/sweep/plan.hpp"
#include "sim/sweep/sql.hpp"

namespace oscar {

/// A point at which no other of a method has both a larger speed-up over the first method of the plan and a smaller
/// error; of equal ones the fastest, then the first.
struct BestPoint {
    std::size_t position = 0;   ///< in the plan
    std::string settings;       ///< of the point, like `ranks=4 quantiser.bits=8`
    std::string method;
    double speedup = 0;                 ///< time of the first method / time of this one at that point
    std::int64_t allreduce_ps = 0;      ///< of this method
    std::string bottleneck;             ///< of this method
    std::optional<double> error = {};   ///< relative L2 error of this method
    friend bool operator==(const BestPoint&, const BestPoint&) = default;
};

/// Of each method but the first the point with its largest speed-up, then those with at most half the error of the one
/// before, where there are such. Methods come by their largest speed-up. Out of the view `methods` of database.hpp;
/// points that lack the first method do not count.
std::vector<BestPoint> best_points(const SQLite::Database& database, const SweepPlan& plan,
                                   const std::vector<Condition>& conditions = {});

}   // namespace oscar
