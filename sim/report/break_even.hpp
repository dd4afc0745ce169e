// Break-even of a method with fp32: the link rate at which both would take equally long.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/core/units.hpp"
#include "models/timing/critical_path.hpp"
#include "sim/report/report.hpp"

namespace oscar {

/// Rates at which a method is faster than its baseline.
struct BreakEven {
    std::optional<double> bandwidth_gbps;   ///< 0: it is at no rate; none: at every rate, or the two are the same
    std::string faster;                     ///< below or above that rate, always, never, or same
};

/// To first order, of two critical paths on a network whose slowest link has rate B0: if every link had B / B0 times
/// its rate, a path of link time w and other time o would take time(B) = o + w B0 / B. Both take equally long at
///
///     B = B0 (w_baseline - w_method) / (o_method - o_baseline).
///
/// It holds while the same chain of events decides the end; where another takes over, that path takes longer. Waiting
/// counts as unchanged, although waiting for larger messages shrinks with the link time.
BreakEven break_even(const CriticalPath& method, const CriticalPath& baseline, Bandwidth slowest_link);

/// Sets the break-even of each method with methods[baseline].
void add_break_even(std::vector<MethodReport>& methods, std::size_t baseline, Bandwidth slowest_link);

}   // namespace oscar
