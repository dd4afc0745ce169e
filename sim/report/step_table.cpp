#include "sim/report/step_table.hpp"

#include <fmt/format.h>

#include "sim/report/text_table.hpp"

namespace oscar::inline report {
namespace {

std::string overlap_text(const nlohmann::ordered_json& config, bool sharded) {
    if (!sharded) return config["overlap"] == true ? "overlapping the backward pass" : "after the backward pass";
    return fmt::format("parameters sharded, gathered {} ahead{}", config["prefetch"].get<std::uint32_t>(),
                       config["reshard"] == true ? " and again for the backward pass" : "");
}

/// What the step computes, and where that is from.
std::string compute_line(const Report& report) {
    const auto& config = report.config["step"];
    const StepReport& step = *report.methods.front().step;
    return fmt::format("\nTraining step: forward {} us{}, backward {} us ({}), optimiser {} us; {} bucket(s), {}:\n",
                       microseconds(step.forward_ps), config["forward"].is_null() ? " (half of backward)" : "",
                       microseconds(step.backward_ps),
                       config["backward"].is_null() ? "as captured on the machine of the trace"
                                                    : "given; ready times are scaled to it",
                       microseconds(step.optimiser_ps), step.buckets.size(),
                       overlap_text(config, step.sharding.has_value()));
}

Row step_row(const MethodReport& method) {
    const StepReport& step = *method.step;
    Row row{method.name, microseconds(step.step_ps)};
    for (const auto& [other, factor] : step.speedup)
        row.push_back(other == method.name ? "1" : fmt::format("{:.3f}", factor));
    const AmdahlCheck& amdahl = step.amdahl.front().second;
    for (const std::string& cell :
         {microseconds(step.communication_ps), microseconds(step.exposed_ps), percent(step.exposed_share),
          fmt::format("{:.3f}", amdahl.predicted), fmt::format("{:+.1f}", 100 * amdahl.difference)})
        row.push_back(cell);
    return row;
}

/// What sharded parameters cost; empty where they are not.
std::string sharding_table(const Report& report) {
    if (!report.methods.front().step->sharding) return "";
    std::vector<Row> rows{
        {"method", "gather forward us", "exposed", "gather backward us", "exposed", "reduce-scatter us", "exposed"}};
    for (const MethodReport& method : report.methods) {
        const ShardingReport& s = *method.step->sharding;
        rows.push_back({method.name, microseconds(s.gather_forward_ps), microseconds(s.exposed_gather_forward_ps),
                        microseconds(s.gather_backward_ps), microseconds(s.exposed_gather_backward_ps),
                        microseconds(s.reduce_scatter_ps), microseconds(s.exposed_reduce_scatter_ps)});
    }
    return aligned(rows) + "\n";
}

/// When each bucket is ready, and when each method has sent it.
std::string bucket_table(const Report& report) {
    std::vector<Row> rows{{"bucket", "layers", "values", "ready us"}};
    for (const MethodReport& method : report.methods) rows.front().push_back(method.name + " us");
    const auto& buckets = report.methods.front().step->buckets;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        Row row{std::to_string(b), std::to_string(buckets[b].layers.size()), std::to_string(buckets[b].elements),
                microseconds(buckets[b].ready_ps)};
        for (const MethodReport& method : report.methods) {
            const BucketReport& bucket = method.step->buckets[b];
            row.push_back(microseconds(bucket.start_ps) + "-" + microseconds(bucket.end_ps));
        }
        rows.push_back(row);
    }
    return aligned(rows);
}

}   // namespace

std::string step_table(const Report& report) {
    if (!report.methods.front().step) return "";
    Row heads{"method", "step us"};
    for (const MethodReport& method : report.methods) heads.push_back("x " + method.name);
    const std::string first = report.methods.front().name;
    const bool sharded = report.methods.front().step->sharding.has_value();
    for (const std::string& head :
         {std::string(sharded ? "collectives us" : "AllReduces us"), std::string("exposed us"),
          std::string("exposed %"), "Amdahl x " + first, std::string("off by %")})
        heads.push_back(head);
    std::vector<Row> rows{heads};
    for (const MethodReport& method : report.methods) rows.push_back(step_row(method));
    return compute_line(report) + aligned(rows) + "\n" + sharding_table(report) + bucket_table(report);
}

}   // namespace oscar::inline report
