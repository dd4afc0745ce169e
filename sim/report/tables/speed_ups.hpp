// Columns of speed-ups: over one baseline, or over each method.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// One column over the baseline of a view; a column `x NAME` per method where all are shown and none is chosen.
class SpeedUpColumns {
public:
    SpeedUpColumns(const Report& report, const View& view);

    /// ", and its speed-up over fp32".
    std::string caption() const;
    /// Appends a head for each column, in the order of add_cells.
    void add_heads(Row& heads) const;
    /// `factors`: of a method over each of the report.
    void add_cells(Row& row, const std::vector<std::pair<std::string, double>>& factors) const;

private:
    bool over_each_;
    std::vector<std::string> baselines_;
};

}   // namespace oscar
