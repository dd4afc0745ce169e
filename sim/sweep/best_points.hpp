// Where in a sweep each method gains most: what a user looks for first in its results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/sweep/plan.hpp"
#include "sim/sweep/sql.hpp"

namespace oscar {

/// The point at which a method has its largest speed-up over the first method of the plan; of several the fastest, then
/// the first.
struct BestPoint {
    std::size_t position = 0;   ///< in the plan
    std::string settings;       ///< of the point, like `ranks=4 quantiser.bits=8`
    std::string method;
    double speedup = 0;              ///< time of the first method / time of this one at that point
    std::int64_t allreduce_ps = 0;   ///< of this method
    std::string bottleneck;          ///< of this method
    friend bool operator==(const BestPoint&, const BestPoint&) = default;
};

/// One per method, largest speed-up first, out of the view `methods` of database.hpp; points that lack the first method
/// do not count.
std::vector<BestPoint> best_points(const SQLite::Database& database, const SweepPlan& plan);

}   // namespace oscar
