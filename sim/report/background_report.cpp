#include "sim/report/background_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/describe/echo.hpp"
#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {
namespace {

double ratio(Time part, Time whole) {
    return whole > Time{} ? static_cast<double>(part.ps) / static_cast<double>(whole.ps) : 0;
}

void add_shares(BackgroundReport& report, const BackgroundUse& use) {
    for (const auto& [edge, busy] : use.busy) {
        const double share = ratio(busy, use.duration);
        report.link_share += share / static_cast<double>(use.busy.size());
        report.largest_link_share = std::max(report.largest_link_share, share);
    }
}

/// The smallest that 99 of 100 do not exceed.
void add_completions(BackgroundReport& report, std::vector<Time> completions) {
    if (completions.empty()) return;
    const std::size_t n = completions.size();
    const Time sum = std::accumulate(completions.begin(), completions.end(), Time{});
    report.mean_completion_ps = sum.ps / static_cast<std::int64_t>(n);
    std::ranges::sort(completions);
    report.p99_completion_ps = completions[(99 * n + 99) / 100 - 1].ps;
}

}   // namespace

BackgroundReport summarise(BackgroundUse use) {
    BackgroundReport report;
    report.offered_messages = use.offered_messages;
    report.delivered_messages = use.completions.size();
    report.offered_bytes = use.offered_bytes;
    report.delivered_bytes = use.delivered_bytes;
    report.offered_load = ratio(use.needed, use.sending);
    add_shares(report, use);
    add_completions(report, std::move(use.completions));
    return report;
}

nlohmann::ordered_json to_json(const BackgroundUse& use) { return to_json<BackgroundReport>(summarise(use)); }

std::string background_table(const Report& report, const View& view) {
    Row heads{"method", "messages", "delivered", "link %", "mean us", "p99 us"};
    if (view.wide) heads.emplace_back("offered load");
    std::vector<Row> rows{heads};
    for (const MethodReport& method : report.methods) {
        if (!method.background) continue;
        const BackgroundReport b = summarise(*method.background);
        Row& row = rows.emplace_back(Row{method.name, std::to_string(b.offered_messages),
                                         std::to_string(b.delivered_messages), percent(b.link_share),
                                         microseconds(b.mean_completion_ps), microseconds(b.p99_completion_ps)});
        if (view.wide) row.emplace_back(fmt::format("{:.3f}", b.offered_load));
    }
    return rows.size() == 1 ? "" : "\nBackground traffic, while the method runs:\n" + aligned(rows, view.of_tables());
}

}   // namespace oscar
