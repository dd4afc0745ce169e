#include "sim/report/tables/table.hpp"

#include <fmt/format.h>

#include "sim/describe/wrap.hpp"
#include "sim/report/tables/speed_ups.hpp"

namespace oscar {
namespace {

std::string overlap_text(const nlohmann::ordered_json& config, bool sharded) {
    if (!sharded) return config["overlap"] == true ? "overlapping the backward pass" : "after the backward pass";
    return fmt::format("parameters sharded, gathered {} ahead{}", config["prefetch"].get<std::uint32_t>(),
                       config["reshard"] == true ? " and again for the backward pass" : "");
}

/// Where the time of the backward pass is from.
std::string_view source_of(const nlohmann::ordered_json& config) {
    if (config.contains("given")) return config["backward"].is_null() ? "until the last bucket" : "given";
    return config["backward"].is_null() ? "as captured" : "given; ready times are scaled to it";
}

/// A line with the times of the step's computation, and their origin.
std::string compute_line(const Report& report, const std::string& speed_ups) {
    const auto& config = report.config["step"];
    const StepReport& step = *report.methods.front().step;
    return fmt::format(
        "Training step: forward {} us{}, backward {} us ({}), optimiser {} us; {} bucket(s), {}; step{}:",
        microseconds(step.forward_ps), config["forward"].is_null() ? " (half of backward)" : "",
        microseconds(step.backward_ps), source_of(config), microseconds(step.optimiser_ps), step.buckets.size(),
        overlap_text(config, step.sharding.has_value()), speed_ups);
}

std::string step_rows(const Report& report, const View& view, const SpeedUpColumns& speed_ups) {
    const bool sharded = report.methods.front().step->sharding.has_value();
    Row heads{"method", "step us"};
    speed_ups.add_heads(heads);
    heads.insert(heads.end(), {sharded ? "collectives us" : "AllReduces us", "exposed us", "exposed %"});
    if (view.wide) heads.insert(heads.end(), {Cell("Amdahl x " + report.methods.front().name), "off by %"});
    std::vector<Row> rows{heads};
    for (const MethodReport& method : report.methods) {
        const StepReport& step = *method.step;
        const AmdahlCheck& amdahl = step.amdahl.front().second;
        Row& row = rows.emplace_back(Row{method.name, microseconds(step.step_ps)});
        speed_ups.add_cells(row, step.speedup);
        row.insert(row.end(), {Cell(microseconds(step.communication_ps)), Cell(microseconds(step.exposed_ps)),
                               Cell(percent(step.exposed_share))});
        if (view.wide)
            row.insert(row.end(), {Cell(fmt::format("{:.3f}", amdahl.predicted)),
                                   Cell(fmt::format("{:+.1f}", 100 * amdahl.difference))});
    }
    return aligned(rows, view.of_tables());
}

/// The times of gathering and scattering sharded parameters; empty where they are not sharded.
std::string sharding_table(const Report& report, const Screen& screen) {
    if (!report.methods.front().step->sharding) return "";
    std::vector<Row> rows{{"method", "collectives", "time us", "exposed us"}};
    const auto add = [&](const std::string& method, const char* collectives, std::int64_t time, std::int64_t exposed) {
        rows.push_back({method, collectives, microseconds(time), microseconds(exposed)});
    };
    for (const MethodReport& method : report.methods) {
        const ShardingReport& s = *method.step->sharding;
        add(method.name, "gather for forward pass", s.gather_forward_ps, s.exposed_gather_forward_ps);
        add("", "gather for backward pass", s.gather_backward_ps, s.exposed_gather_backward_ps);
        add("", "reduce-scatter", s.reduce_scatter_ps, s.exposed_reduce_scatter_ps);
    }
    return "\n" + aligned(rows, screen, 2);
}

/// A table of the times at which each bucket is ready, and each method sends it.
std::string bucket_table(const Report& report, const Screen& screen) {
    std::vector<Row> rows{{"bucket", "layers", "values", "ready us"}};
    for (const MethodReport& method : report.methods) rows.front().emplace_back(method.name + " us");
    const auto& buckets = report.methods.front().step->buckets;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        Row& row = rows.emplace_back(Row{std::to_string(b), std::to_string(buckets[b].layers.size()),
                                         std::to_string(buckets[b].elements), microseconds(buckets[b].ready_ps)});
        for (const MethodReport& method : report.methods) {
            const BucketReport& bucket = method.step->buckets[b];
            row.emplace_back(microseconds(bucket.start_ps) + "-" + microseconds(bucket.end_ps));
        }
    }
    return "\n" + aligned(rows, screen);
}

}   // namespace

std::string step_table(const Report& report, const View& view) {
    if (!report.methods.front().step) return "";
    const SpeedUpColumns speed_ups(report, view);
    return "\n" + paragraph(compute_line(report, speed_ups.caption()), view.screen.width) +
           step_rows(report, view, speed_ups) + sharding_table(report, view.of_tables()) +
           (view.wide ? bucket_table(report, view.of_tables()) : "");
}

}   // namespace oscar
