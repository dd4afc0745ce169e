#include "sim/report/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/describe/wrap.hpp"
#include "sim/report/background_report.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/tables/columns.hpp"
#include "sim/report/tables/speed_ups.hpp"
#include "sim/report/tables/verdict.hpp"

namespace oscar {
namespace {

/// `equal`: what the sums are where they are right.
Cell sums_cell(const MethodReport& m, const std::string& equal) {
    if (!m.sums_match_reference) return "-";
    return *m.sums_match_reference ? Cell(equal) : Cell("DIFFER", TextStyle::bad);
}

std::string time_table(const Report& report, const View& view) {
    const std::vector<MadeColumn> columns = columns_of(TerminalTable::times, report, view.wide);
    const SpeedUpColumns speed_ups(report, view);
    std::vector<Row> rows{{"method", std::string(columns.front().head)}};
    speed_ups.add_heads(rows.front());
    for (std::size_t c = 1; c < columns.size(); ++c) rows.front().emplace_back(std::string(columns[c].head));
    rows.front().emplace_back("sums");
    const std::string equal = report.config.value("payload", "encoded") == "size_only" ? "values equal" : "equal";
    const auto fastest = std::ranges::min_element(report.methods, {}, &MethodReport::allreduce_ps);
    for (const MethodReport& m : report.methods) {
        const TextStyle style = m.allreduce_ps == fastest->allreduce_ps ? TextStyle::good : TextStyle::plain;
        Row& row = rows.emplace_back(Row{m.name, Cell(columns.front().cell(m), style)});
        speed_ups.add_cells(row, m.speedup);
        for (std::size_t c = 1; c < columns.size(); ++c) row.emplace_back(columns[c].cell(m));
        row.push_back(sums_cell(m, equal));
    }
    return "\n" + paragraph("Time" + speed_ups.caption() + ":", view.screen.width) + aligned(rows, view.of_tables());
}

std::string path_table(const Report& report, const View& view) {
    std::vector<Row> rows{{"method"}};
    for (const char* head : critical_path_heads) rows.front().emplace_back(head);
    for (const MethodReport& m : report.methods) {
        Row& row = rows.emplace_back(Row{m.name});
        for_each_field<CriticalPath>(
            [&](const auto& field) { row.emplace_back(microseconds(m.critical_path.*field.member)); });
    }
    return "\n" + paragraph("What the critical path is made of; its parts add up to the time:", view.screen.width) +
           aligned(rows, view.of_tables());
}

std::string verdicts(const Report& report, const View& view) {
    std::string text = "\n";
    const std::string baseline = baseline_of(report, view);
    for (const MethodReport& method : report.methods)
        text += paragraph(verdict(report, method, baseline), view.screen.width, 2);
    return text;
}

std::string cost(const HostReport& host, const Screen& screen) {
    const std::string text = fmt::format(
        "simulated {} events, {} flit-hops in {:.2f} s ({:.1f} M flit-hops per CPU s), peak memory {:.0f} MiB",
        host.events, host.flit_hops, host.wall_s, host.flit_hops_per_cpu_s / 1e6,
        static_cast<double>(host.peak_rss_bytes) / (1 << 20));
    return "\n" + paragraph(text, screen.width, 2);
}

}   // namespace

std::string to_table(const Report& report, const View& view) {
    std::string text = headline(report, view) + time_table(report, view) + job_table(report, view) +
                       step_table(report, view) + background_table(report, view) + path_table(report, view) +
                       cost_tables(report, view);
    if (view.wide || view.explain) text += means_over_ranks(report, view);
    if (view.explain) text += closed_form_table(report, view);
    text += verdicts(report, view);
    if (view.explain) text += remedies(report, view.screen);
    if (view.legend || view.explain) text += legend(report, view);
    return text + cost(report.host, view.screen);
}

}   // namespace oscar
