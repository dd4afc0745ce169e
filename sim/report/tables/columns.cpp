#include "sim/report/tables/columns.hpp"

#include <algorithm>

#include "sim/report/statistics.hpp"

namespace oscar {

std::vector<MadeColumn> columns_of(TerminalTable table, bool wide) {
    std::vector<MadeColumn> columns;
    for_each_statistic([&](const auto& statistic) {
        const auto& column = statistic.column;
        if (column.table != table || (column.wide && !wide)) return;
        columns.push_back({column.place, column.head, statistic.meaning,
                           [statistic](const MethodReport& m) { return statistic.column.text(m.*statistic.member); }});
    });
    std::ranges::sort(columns, {}, &MadeColumn::place);
    return columns;
}

}   // namespace oscar
