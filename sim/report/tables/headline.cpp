#include "sim/report/tables/table.hpp"

#include <fmt/format.h>

#include "sim/config/error.hpp"
#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

std::string text_of(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A remark on ranks that were not captured together.
std::string resampling(const TraceReport& trace) {
    if (trace.resampled_ranks == 0) return "";
    std::string text = fmt::format(" ({} resampled from neighbouring iterations", trace.resampled_ranks);
    if (trace.repeated_ranks > 0) text += fmt::format(", {} of them repeated gradients", trace.repeated_ranks);
    return text + ")";
}

/// The values that are carried: a trace, or nothing that could be told apart.
std::string origin(const Report& report) {
    const TraceReport& trace = report.trace;
    if (!trace.hash) return fmt::format("no trace, {} values, {} ranks", trace.elements, trace.ranks);
    return fmt::format("trace {} ({} values, hash {}), {} ranks{}, iterations {}", printable(trace.name),
                       trace.elements, *trace.hash, text_of(report.config["ranks"]), resampling(trace),
                       fmt::join(trace.iterations, ", "));
}

std::string channels(const nlohmann::ordered_json& collective) {
    if (!collective.contains("channels")) return "";
    return fmt::format(", {} channels, order {}", text_of(collective["channels"]),
                       text_of(collective["channel_order"]));
}

/// The nodes of a machine whose topology has islands: " (nodes: 4 of 8)", or " (nodes: 1 of 8, 1 of 4)".
std::string nodes(const nlohmann::ordered_json& c) {
    const auto& topology = c["network"]["topology"];
    if (!topology.contains("island") || !c["ranks"].is_number_unsigned()) return "";
    const auto island = topology["island"].get<std::uint32_t>(), ranks = c["ranks"].get<std::uint32_t>();
    std::string text;
    if (ranks >= island) text = fmt::format("{} of {}", ranks / island, island);
    if (ranks % island > 0) text += fmt::format("{}1 of {}", text.empty() ? "" : ", ", ranks % island);
    return fmt::format(" (nodes: {})", text);
}

/// As it was written, with the scale by which it was divided.
std::string machine(const Report& report) {
    const nlohmann::ordered_json& c = report.config_as_written ? *report.config_as_written : report.config;
    const std::string text = fmt::format(
        "quantiser {} int{} | {} {}, {} slice(s){} | chunks {} | {}{} {}, {} propagation | engine {} lanes at {} | "
        "fidelity {}",
        text_of(c["quantiser"]["kind"]), text_of(c["quantiser"]["bits"]), text_of(c["collective"]["kind"]),
        text_of(c["collective"]["issue"]), text_of(c["collective"]["slices"]), channels(c["collective"]),
        text_of(c["chunks"]["kind"]), text_of(c["network"]["topology"]["kind"]), nodes(c),
        text_of(c["network"]["link"]["bandwidth"]), text_of(c["network"]["link"]["propagation"]),
        text_of(c["engine"]["lanes"]), text_of(c["engine"]["clock"]), text_of(c["fidelity"]));
    return report.config_as_written ? fmt::format("{} | scaled by {}", text, text_of(c["scale"])) : text;
}

}   // namespace

std::string headline(const Report& report, const View& view) {
    const Screen& screen = view.screen;
    std::string text = paragraph(report.experiment + ": " + origin(report), screen.width, 2) +
                       paragraph(machine(report), screen.width, 2);
    for (const std::string& note : report.notes)
        text += styled(paragraph("NOTE: " + note, screen.width, 2), TextStyle::strong, screen);
    if (view.explain && report.costs) text += paragraph("Beside coding, " + *report.costs, screen.width, 2);
    return text;
}

}   // namespace oscar
