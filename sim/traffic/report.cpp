#include "sim/traffic/report.hpp"

#include <fmt/format.h>

#include "sim/describe/echo.hpp"
#include "sim/describe/json_text.hpp"
#include "sim/describe/wrap.hpp"
#include "sim/report/write.hpp"

namespace oscar {
namespace {

std::string number_or_dash(const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "-"; }
std::string number_or_dash(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "-"; }

Row row_of(const LoadPoint& point) {
    return {fmt::format("{:.3f}", point.offered), fmt::format("{:.4f}", point.accepted),
            number_or_dash(point.mean_latency),   number_or_dash(point.p50_latency),
            number_or_dash(point.p99_latency),    number_or_dash(point.max_latency),
            std::to_string(point.packets),        point.steady ? "yes" : "no"};
}

}   // namespace

nlohmann::ordered_json to_json(const TrafficReport& report) {
    return {{"schema", 1},
            {"experiment", report.experiment},
            {"program_version", report.program_version},
            {"config", report.config},
            {"seed", report.seed},
            {"bounds", to_json<TrafficBounds>(report.bounds)},
            {"zero_load", to_json(report.zero_load)},
            {"points", to_json(report.points)},
            {"saturation", to_json(report.saturation)},
            {"host", to_json<HostReport>(report.host)}};
}

std::string to_table(const TrafficReport& report, const Screen& screen) {
    std::vector<Row> rows{{"offered", "accepted", "mean latency", "p50", "p99", "max", "packets", "steady"}};
    for (const LoadPoint& point : report.points) rows.push_back(row_of(point));
    const TrafficBounds& b = report.bounds;
    std::string text =
        paragraph("Load in flits a cycle and node; latency in cycles from creation to the tail's arrival:",
                  screen.width) +
        aligned(rows, screen, 0) + "\n" +
        paragraph(fmt::format("Zero load: {:.2f} cycles over {:.2f} routers. Links bear at most {:.4f} flits a cycle "
                              "and node.",
                              b.zero_load_latency, b.mean_routers, b.throughput),
                  screen.width);
    if (const auto& s = report.saturation)
        text += paragraph(
            fmt::format("Saturation: {:.4f} flits a cycle and node accepted at an offered load of {:.4f}, {:.1f} % of "
                        "the bound; {:.4f} accepted at full load.",
                        s->accepted, s->load, 100 * s->accepted / b.throughput, s->at_full_load),
            screen.width);
    return text;
}

void write_report(const TrafficReport& report, const std::filesystem::path& folder) {
    write_by_rename(folder / "report.json", json_text(to_json(report)) + "\n");
}

}   // namespace oscar
