// A statistic: a field of a result with the rules by which it adds up, and its column on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/report/metrics.hpp"

namespace oscar {

/// The place of a statistic in report.json.
enum class Shown : std::uint8_t {
    nowhere,             ///< other statistics are made of it
    methods,             ///< in each method
    iterations,          ///< in each iteration of a method
    everywhere,          ///< in each method and in each of its iterations
    methods_if_costed,   ///< in each method after those, null or not, where a technology is given
    methods_if_tiered,   ///< likewise, where some ranks share an island and others do not
    methods_if_present   ///< in each method after all others, where there is any
};

/// The tables of a terminal.
enum class TerminalTable : std::uint8_t { none, times, shares, checks, energies, areas };

/// Where a column is shown: in every view, or only with --wide; `one_tier`: on machines with tiers only with --wide.
enum class InView : std::uint8_t { every, wide, one_tier };

/// A column of a table. Columns are in the order of their places.
template <class T>
struct Column {
    TerminalTable table = TerminalTable::none;
    int place = 0;
    std::string_view head = {};
    std::string (*text)(const T&) = nullptr;
    InView view = InView::every;
};

/// The key's ending names the unit (unit_of). Rules: aggregation.hpp.
template <class T, class OverBuckets, class OverIterations>
struct Statistic {
    using Value = T;
    std::string_view key;
    T IterationResult::*member;
    std::string_view meaning;
    OverBuckets over_buckets;
    OverIterations over_iterations;
    Shown shown;
    Column<T> column;
};

/// Makes a statistic; without `column` no table shows it.
template <class T, class OverBuckets, class OverIterations>
constexpr Statistic<T, OverBuckets, OverIterations> statistic(std::string_view key, T IterationResult::*member,
                                                              Shown shown, OverBuckets over_buckets,
                                                              OverIterations over_iterations, std::string_view meaning,
                                                              std::type_identity_t<Column<T>> column = {}) {
    return {key, member, meaning, over_buckets, over_iterations, shown, column};
}

/// "ps" for allreduce_ps, "Gbit/s" for bus_bandwidth_gbps; empty for what has no unit, or a name.
std::string_view unit_of(std::string_view key);

}   // namespace oscar
