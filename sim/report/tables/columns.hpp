// The columns of the statistics in the tables of a terminal.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/report/statistic.hpp"
#include "sim/report/statistics.hpp"

namespace oscar {

/// A column: its place, its head, its cell in a row and what it means.
struct MadeColumn {
    int place;
    std::string_view head, meaning;
    std::function<std::string(const MethodReport&)> cell;
};

/// The columns of a table of `report`, in order; with `wide` also the ones that are shown only there.
inline std::vector<MadeColumn> columns_of(TerminalTable table, const Report& report, bool wide) {
    const bool tiered = std::ranges::any_of(report.methods, &MethodReport::tiered);
    std::vector<MadeColumn> columns;
    for_each_statistic([&](const auto& statistic) {
        const auto& column = statistic.column;
        const bool narrow = column.view == InView::every || (column.view == InView::one_tier && !tiered);
        const bool has_figures = tiered || statistic.shown != Shown::methods_if_tiered;
        if (column.table != table || !has_figures || !(narrow || wide)) return;
        columns.push_back({column.place, column.head, statistic.meaning,
                           [statistic](const MethodReport& m) { return statistic.column.text(m.*statistic.member); }});
    });
    std::ranges::sort(columns, {}, &MadeColumn::place);
    return columns;
}

}   // namespace oscar
