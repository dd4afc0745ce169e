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
inline BreakEven break_even(const CriticalPath& method, const CriticalPath& baseline, Bandwidth slowest_link) {
    const std::int64_t saved_wire = baseline.wire_ps - method.wire_ps;
    const std::int64_t added = method.total_ps() - method.wire_ps - (baseline.total_ps() - baseline.wire_ps);
    if (saved_wire == 0 && added == 0) return {std::nullopt, "same"};
    if (saved_wire >= 0 && added <= 0) return {std::nullopt, "always"};
    if (saved_wire <= 0 && added >= 0) return {0, "never"};
    return {
        static_cast<double>(slowest_link.mbps) / 1000 * static_cast<double>(saved_wire) / static_cast<double>(added),
        saved_wire > 0 ? "below" : "above"};
}

/// Sets the break-even of each method with methods[baseline].
inline void add_break_even(std::vector<MethodReport>& methods, std::size_t baseline, Bandwidth slowest_link) {
    for (MethodReport& method : methods) {
        const BreakEven found = break_even(method.critical_path, methods[baseline].critical_path, slowest_link);
        method.break_even_bandwidth_gbps = found.bandwidth_gbps;
        method.faster_than_fp32 = found.faster;
    }
}

}   // namespace oscar
