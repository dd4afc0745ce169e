#include <fmt/format.h>

#include <algorithm>

#include "sim/report/background_report.hpp"
#include "sim/report/bottleneck.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/report.hpp"
#include "sim/report/step_table.hpp"
#include "sim/report/text_table.hpp"

namespace oscar {
namespace {

/// `equal`: what the sums are where they are right.
Row time_row(const MethodReport& m, const std::string& equal) {
    Row row{m.name, microseconds(m.allreduce_ps)};
    for (const auto& [baseline, factor] : m.speedup)
        row.push_back(baseline == m.name ? "1" : fmt::format("{:.3f}", factor));
    row.push_back(fmt::format("{:.3f}", m.bits_per_value));
    row.push_back(fmt::format("{:.3f}", m.imbalance));
    row.push_back(m.relative_l2_error ? fmt::format("{:.2e}", *m.relative_l2_error) : "-");
    row.push_back(m.cosine ? fmt::format("{:.6f}", *m.cosine) : "-");
    row.push_back(fmt::format("{:.1f}", m.bus_bandwidth_gbps));
    row.push_back(std::to_string(m.saturated_values));
    if (!m.sums_match_reference) row.emplace_back("-");
    else row.push_back(*m.sums_match_reference ? equal : "DIFFER");
    return row;
}

std::string time_table(const Report& report) {
    Row heads{"method", "AllReduce us"};
    for (const MethodReport& m : report.methods) heads.push_back("x " + m.name);
    for (const char* head : {"bits/value", "imbalance", "rel L2 err", "cosine", "bus Gbit/s", "saturated", "sums"})
        heads.emplace_back(head);
    std::vector<Row> rows{heads};
    const std::string equal = report.config.value("payload", "encoded") == "size_only" ? "values equal" : "equal";
    for (const MethodReport& m : report.methods) rows.push_back(time_row(m, equal));
    return aligned(rows);
}

/// Least to most of the links used.
std::string utilisation_range(const std::vector<LinkShare>& links) {
    if (links.empty()) return "-";
    const auto [least, most] = std::ranges::minmax(links, {}, &LinkShare::utilisation);
    return percent(least.utilisation) + "-" + percent(most.utilisation);
}

Row share_row(const MethodReport& m) {
    const std::string form = m.closed_form_ps ? microseconds(*m.closed_form_ps) : "-";
    const std::string difference =
        m.closed_form_ps ? fmt::format("{:.3f}", static_cast<double>(m.allreduce_ps - *m.closed_form_ps) / 1e3) : "-";
    return {m.name,
            microseconds(m.codec_ps),
            microseconds(m.wire_ps),
            microseconds(m.wait_ps),
            microseconds(m.scale_exchange_ps),
            microseconds(m.gpu_kernel_ps),
            utilisation_range(m.links),
            percent(m.idle_wait_share),
            percent(m.engine_utilisation),
            form,
            difference};
}

std::string share_table(const Report& report) {
    std::vector<Row> rows{{"method", "codec us", "wire us", "wait us", "scale us", "kernel us", "link %", "idle wait %",
                           "engine %", "closed form us", "difference ns"}};
    for (const MethodReport& m : report.methods) rows.push_back(share_row(m));
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

}   // namespace oscar
