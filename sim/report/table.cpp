#include <fmt/format.h>

#include <algorithm>

#include "models/core/quantity.hpp"
#include "sim/report/report.hpp"

namespace oscar {
namespace {

using Row = std::vector<std::string>;

/// Rows below their headings: the first column to the left, the others to the right.
std::string aligned(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            text += c == 0 ? fmt::format("  {:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
        text += '\n';
    }
    return text;
}

std::string microseconds(std::int64_t ps) { return fmt::format("{:.3f}", static_cast<double>(ps) / 1e6); }
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

Row time_row(const MethodReport& m) {
    Row row{m.name, microseconds(m.allreduce_ps)};
    for (const auto& [baseline, factor] : m.speedup)
        row.push_back(baseline == m.name ? "1" : fmt::format("{:.3f}", factor));
    row.push_back(fmt::format("{:.3f}", m.bits_per_value));
    row.push_back(fmt::format("{:.3f}", m.imbalance));
    row.push_back(fmt::format("{:.2e}", m.relative_l2_error));
    row.push_back(fmt::format("{:.6f}", m.cosine));
    row.push_back(std::to_string(m.saturated_values));
    row.push_back(m.sums_match_reference ? "equal" : "DIFFER");
    return row;
}

std::string time_table(const Report& report) {
    Row heads{"method", "AllReduce us"};
    for (const MethodReport& m : report.methods) heads.push_back("x " + m.name);
    for (const char* head : {"bits/value", "imbalance", "rel L2 err", "cosine", "saturated", "sums"})
        heads.emplace_back(head);
    std::vector<Row> rows{heads};
    for (const MethodReport& m : report.methods) rows.push_back(time_row(m));
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
            utilisation_range(m.links),
            percent(m.idle_wait_share),
            percent(m.engine_utilisation),
            form,
            difference};
}

std::string share_table(const Report& report) {
    std::vector<Row> rows{{"method", "codec us", "wire us", "wait us", "scale us", "link %", "idle wait %", "engine %",
                           "closed form us", "difference ns"}};
    for (const MethodReport& m : report.methods) rows.push_back(share_row(m));
    return aligned(rows);
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

std::string headline(const Report& report) {
    const auto& c = report.config;
    return fmt::format(
        "{}: trace {} ({} values, hash {}), {} ranks{}, iterations {}\n"
        "quantiser {} int{} | {} {}, {} slice(s) | chunks {} | {} {}, {} propagation | engine {} lanes at {} | "
        "fidelity {}\n",
        report.experiment, report.trace.name, report.trace.elements, report.trace.hash, text_of(c["ranks"]),
        resampling(report.trace), fmt::join(report.trace.iterations, ", "), text_of(c["quantiser"]["kind"]),
        text_of(c["quantiser"]["bits"]), text_of(c["collective"]["kind"]), text_of(c["collective"]["issue"]),
        text_of(c["collective"]["slices"]), text_of(c["chunks"]["kind"]), text_of(c["network"]["topology"]["kind"]),
        text_of(c["network"]["link"]["bandwidth"]), text_of(c["network"]["link"]["propagation"]),
        text_of(c["engine"]["lanes"]), text_of(c["engine"]["clock"]), text_of(c["fidelity"]));
}

}   // namespace

std::string to_table(const Report& report) {
    return headline(report) + "\nAllReduce, and its speed-up over each method (x):\n" + time_table(report) +
           "\nWhere the time goes, mean over ranks, and the closed form:\n" + share_table(report) +
           fmt::format(
               "\nsimulated {} events, {} flit-hops in {:.2f} s ({:.1f} M flit-hops per CPU s), peak memory {:.0f} "
               "MiB\n",
               report.host.events, report.host.flit_hops, report.host.wall_s, report.host.flit_hops_per_cpu_s / 1e6,
               static_cast<double>(report.host.peak_rss_bytes) / (1 << 20));
}

}   // namespace oscar
