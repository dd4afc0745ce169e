#include "sim/report/statistics.hpp"

#include <array>

namespace oscar {
namespace {

/// Adds up parts by the rules that rule_of(statistic) gives: first the sums, then the statistics that are made of them.
template <class RuleOf>
IterationResult aggregated(aggregation::Parts parts, RuleOf rule_of) {
    IterationResult whole;
    for_each_statistic([&](const auto& statistic) {
        const auto rule = rule_of(statistic);
        if constexpr (!aggregation::is_derived<std::remove_const_t<decltype(rule)>>)
            whole.*statistic.member = rule(parts, statistic.member);
    });
    for_each_statistic([&](const auto& statistic) {
        const auto rule = rule_of(statistic);
        if constexpr (aggregation::is_derived<std::remove_const_t<decltype(rule)>>)
            whole.*statistic.member = rule.derive(whole);
    });
    return whole;
}

struct Unit {
    std::string_view ending, unit;
};
constexpr std::array units{Unit{"_ps", "ps"},
                           Unit{"_pj", "pJ"},
                           Unit{"_pj_per_bit", "pJ/bit"},
                           Unit{"_um2", "um2"},
                           Unit{"_us_mm2", "us mm2"},
                           Unit{"bytes", "bytes"},
                           Unit{"_gbps", "Gbit/s"},
                           Unit{"_per_value", "bits"},
                           Unit{"_per_cpu_s", "1/s"},
                           Unit{"_per_wall_s", "1/s"},
                           Unit{"_s", "s"}};

}   // namespace

void derive(IterationResult& result) {
    for_each_statistic([&](const auto& statistic) {
        if constexpr (requires { statistic.over_buckets.derive(result); })
            result.*statistic.member = statistic.over_buckets.derive(result);
    });
}

IterationResult sum_of_buckets(aggregation::Parts buckets) {
    if (buckets.size() == 1) return buckets.front();
    return aggregated(buckets, [](const auto& statistic) { return statistic.over_buckets; });
}

IterationResult over_iterations(aggregation::Parts iterations) {
    return aggregated(iterations, [](const auto& statistic) { return statistic.over_iterations; });
}

std::string_view unit_of(std::string_view key) {
    for (const Unit& unit : units)
        if (key.ends_with(unit.ending)) return unit.unit;
    return "";
}

}   // namespace oscar
