#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/report/background_report.hpp"
#include "sim/report/bottleneck.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/report.hpp"
#include "sim/report/statistics.hpp"
#include "sim/report/step_table.hpp"
#include "sim/report/text_table.hpp"

namespace oscar::inline report {
namespace {

/// A column: its place, its head and its cell in a row.
struct MadeColumn {
    int place;
    std::string_view head;
    std::function<std::string(const MethodReport&)> cell;
};

/// The columns of the statistics of a table.
std::vector<MadeColumn> columns_of(TerminalTable table) {
    std::vector<MadeColumn> columns;
    for_each_statistic([&](const auto& statistic) {
        if (statistic.column.table == table)
            columns.push_back({statistic.column.place, statistic.column.head, [statistic](const MethodReport& m) {
                                   return statistic.column.text(m.*statistic.member);
                               }});
    });
    std::ranges::sort(columns, {}, &MadeColumn::place);
    return columns;
}

/// `equal`: what the sums are where they are right.
std::string sums_cell(const MethodReport& m, const std::string& equal) {
    if (!m.sums_match_reference) return "-";
    return *m.sums_match_reference ? equal : "DIFFER";
}

std::string time_table(const Report& report) {
    const std::vector<MadeColumn> columns = columns_of(TerminalTable::times);
    Row heads{"method", std::string(columns.front().head)};
    for (const MethodReport& m : report.methods) heads.push_back("x " + m.name);
    for (std::size_t c = 1; c < columns.size(); ++c) heads.emplace_back(columns[c].head);
    heads.emplace_back("sums");
    std::vector<Row> rows{heads};
    const std::string equal = report.config.value("payload", "encoded") == "size_only" ? "values equal" : "equal";
    for (const MethodReport& m : report.methods) {
        Row& row = rows.emplace_back(Row{m.name, columns.front().cell(m)});
        for (const auto& [baseline, factor] : m.speedup)
            row.push_back(baseline == m.name ? "1" : fmt::format("{:.3f}", factor));
        for (std::size_t c = 1; c < columns.size(); ++c) row.push_back(columns[c].cell(m));
        row.push_back(sums_cell(m, equal));
    }
    return aligned(rows);
}

std::string difference_cell(const MethodReport& m) {
    if (!m.closed_form_ps) return "-";
    return fmt::format("{:.3f}", static_cast<double>(m.allreduce_ps - *m.closed_form_ps) / 1e3);
}

std::string share_table(const Report& report) {
    const std::vector<MadeColumn> columns = columns_of(TerminalTable::shares);
    std::vector<Row> rows{{"method"}};
    for (const MadeColumn& column : columns) rows.front().emplace_back(column.head);
    rows.front().emplace_back("difference ns");
    for (const MethodReport& m : report.methods) {
        Row& row = rows.emplace_back(Row{m.name});
        for (const MadeColumn& column : columns) row.push_back(column.cell(m));
        row.push_back(difference_cell(m));
    }
    return aligned(rows);
}

std::string path_table(const Report& report) {
    std::vector<Row> rows{{"method", "wire us", "engine us", "dma us", "latency us", "wait us", "bottleneck"}};
    for (const MethodReport& m : report.methods) {
        Row& row = rows.emplace_back(Row{m.name});
        for_each_field<CriticalPath>(
            [&](const auto& field) { row.push_back(microseconds(m.critical_path.*field.member)); });
        row.push_back(m.bottleneck);
    }
    return aligned(rows);
}

/// In words, where the engine is too slow for the links.
std::string engine_bound(const Report& report) {
    std::string text;
    for (const MethodReport& m : report.methods)
        if (const Bottleneck& b = bottleneck_of(m.critical_path); b.cause == &CriticalPath::engine_ps)
            text += fmt::format(
                "{}: the engine is the bottleneck, {} % of the critical path; {}\n", m.name,
                percent(static_cast<double>(m.critical_path.engine_ps) / static_cast<double>(m.allreduce_ps)),
                b.remedy);
    return text;
}

std::string text_of(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// What must be known of ranks that were not captured together.
std::string resampling(const TraceReport& trace) {
    if (trace.resampled_ranks == 0) return "";
    std::string text = fmt::format(" ({} resampled from neighbouring iterations", trace.resampled_ranks);
    if (trace.repeated_ranks > 0) text += fmt::format(", {} of them repeated gradients", trace.repeated_ranks);
    return text + ")";
}

/// What is carried: a trace, or nothing that could be told apart.
std::string origin(const Report& report) {
    const TraceReport& trace = report.trace;
    if (!trace.hash) return fmt::format("no trace, {} values, {} ranks", trace.elements, trace.ranks);
    return fmt::format("trace {} ({} values, hash {}), {} ranks{}, iterations {}", trace.name, trace.elements,
                       *trace.hash, text_of(report.config["ranks"]), resampling(trace),
                       fmt::join(trace.iterations, ", "));
}

std::string channels(const nlohmann::ordered_json& collective) {
    if (!collective.contains("channels")) return "";
    return fmt::format(", {} channels, order {}", text_of(collective["channels"]),
                       text_of(collective["channel_order"]));
}

std::string headline(const Report& report) {
    const auto& c = report.config;
    return fmt::format(
        "{}: {}\n"
        "quantiser {} int{} | {} {}, {} slice(s){} | chunks {} | {} {}, {} propagation | engine {} lanes at {} | "
        "fidelity {}\n",
        report.experiment, origin(report), text_of(c["quantiser"]["kind"]), text_of(c["quantiser"]["bits"]),
        text_of(c["collective"]["kind"]), text_of(c["collective"]["issue"]), text_of(c["collective"]["slices"]),
        channels(c["collective"]), text_of(c["chunks"]["kind"]), text_of(c["network"]["topology"]["kind"]),
        text_of(c["network"]["link"]["bandwidth"]), text_of(c["network"]["link"]["propagation"]),
        text_of(c["engine"]["lanes"]), text_of(c["engine"]["clock"]), text_of(c["fidelity"]));
}

std::string notes(const Report& report) {
    std::string text;
    for (const std::string& note : report.notes) text += "NOTE: " + note + "\n";
    return text;
}

}   // namespace

std::string to_table(const Report& report) {
    return headline(report) + notes(report) + "\nAllReduce, and its speed-up over each method (x):\n" +
           time_table(report) + job_table(report) + step_table(report) + background_table(report) +
           "\nWhere the time goes, mean over ranks, and the closed form:\n" + share_table(report) +
           "\nWhat the critical path is made of:\n" + path_table(report) + engine_bound(report) +
           fmt::format(
               "\nsimulated {} events, {} flit-hops in {:.2f} s ({:.1f} M flit-hops per CPU s), peak memory {:.0f} "
               "MiB\n",
               report.host.events, report.host.flit_hops, report.host.wall_s, report.host.flit_hops_per_cpu_s / 1e6,
               static_cast<double>(report.host.peak_rss_bytes) / (1 << 20));
}

}   // namespace oscar::inline report
