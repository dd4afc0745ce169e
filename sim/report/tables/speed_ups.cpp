#include "sim/report/tables/speed_ups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/tables/verdict.hpp"

namespace oscar {

SpeedUpColumns::SpeedUpColumns(const Report& report, const View& view)
    : over_each_(view.wide && view.baseline.empty() && report.methods.size() > 1) {
    if (!over_each_) baselines_.push_back(baseline_of(report, view));
    else
        for (const MethodReport& method : report.methods) baselines_.push_back(method.name);
}

std::string SpeedUpColumns::caption() const {
    return ", and its speed-up over " + (over_each_ ? "each method (x)" : baselines_.front());
}

void SpeedUpColumns::add_heads(Row& heads) const {
    for (const std::string& name : baselines_) heads.emplace_back(over_each_ ? "x " + name : "speed-up");
}

void SpeedUpColumns::add_cells(Row& row, const std::vector<std::pair<std::string, double>>& factors) const {
    for (const auto& [name, factor] : factors)
        if (std::ranges::find(baselines_, name) != baselines_.end()) row.emplace_back(fmt::format("{:.3f}", factor));
}

}   // namespace oscar
