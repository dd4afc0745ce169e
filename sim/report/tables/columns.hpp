// The columns of the statistics in the tables of a terminal.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/report/statistic.hpp"

namespace oscar {

/// A column: its place, its head, its cell in a row and what it means.
struct MadeColumn {
    int place;
    std::string_view head, meaning;
    std::function<std::string(const MethodReport&)> cell;
};

/// The columns of a table, in order; with `wide` also the ones that are shown only there.
std::vector<MadeColumn> columns_of(TerminalTable table, bool wide);

}   // namespace oscar
