#include "sim/report/break_even.hpp"

namespace oscar {

BreakEven break_even(const CriticalPath& method, const CriticalPath& baseline, Bandwidth slowest_link) {
    const std::int64_t saved_wire = baseline.wire_ps - method.wire_ps;
    const std::int64_t added = method.total_ps() - method.wire_ps - (baseline.total_ps() - baseline.wire_ps);
    if (saved_wire == 0 && added == 0) return {std::nullopt, "same"};
    if (saved_wire >= 0 && added <= 0) return {std::nullopt, "always"};
    if (saved_wire <= 0 && added >= 0) return {0, "never"};
    return {
        static_cast<double>(slowest_link.mbps) / 1000 * static_cast<double>(saved_wire) / static_cast<double>(added),
        saved_wire > 0 ? "below" : "above"};
}

void add_break_even(std::vector<MethodReport>& methods, std::size_t baseline, Bandwidth slowest_link) {
    for (MethodReport& method : methods) {
        const BreakEven found = break_even(method.critical_path, methods[baseline].critical_path, slowest_link);
        method.break_even_bandwidth_gbps = found.bandwidth_gbps;
        method.faster_than_fp32 = found.faster;
    }
}

}   // namespace oscar
