#include "sim/report/step_report.hpp"

#include "sim/describe/echo.hpp"
#include "sim/report/mean.hpp"

namespace oscar {
namespace {

double ratio(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

/// Mean over the iterations of one time of bucket b.
std::int64_t mean_of_bucket(const std::vector<StepTimeline>& iterations, std::size_t b, Time BucketTimes::*time) {
    return mean_ps(iterations, [&](const StepTimeline& it) { return (it.buckets[b].*time).ps; });
}

}   // namespace

StepReport summarise(const StepCompute& compute, const std::vector<StepTimeline>& iterations,
                     std::vector<BucketReport> buckets) {
    StepReport step;
    step.compute_ps = compute.total().ps;
    step.forward_ps = compute.forward.ps;
    step.backward_ps = compute.backward.ps;
    step.optimiser_ps = compute.optimiser.ps;
    step.step_ps = mean_ps(iterations, [](const StepTimeline& it) { return it.step.ps; });
    step.communication_ps = mean_ps(iterations, [](const StepTimeline& it) { return it.communication.ps; });
    step.exposed_ps = step.step_ps - step.compute_ps;
    step.exposed_share = ratio(step.exposed_ps, step.step_ps);
    step.scaling_efficiency = 1 - step.exposed_share;
    step.buckets = std::move(buckets);
    for (std::size_t b = 0; b < step.buckets.size(); ++b) {
        BucketReport& bucket = step.buckets[b];
        bucket.ready_ps = mean_of_bucket(iterations, b, &BucketTimes::ready);
        bucket.start_ps = mean_of_bucket(iterations, b, &BucketTimes::start);
        bucket.end_ps = mean_of_bucket(iterations, b, &BucketTimes::end);
        bucket.allreduce_ps = bucket.end_ps - bucket.start_ps;
    }
    return step;
}

StepReport summarise(const StepCompute& compute, const std::vector<ShardedTimeline>& iterations,
                     std::vector<BucketReport> buckets) {
    std::vector<StepTimeline> steps;
    steps.reserve(iterations.size());
    for (const ShardedTimeline& iteration : iterations) steps.push_back(iteration.step);
    StepReport step = summarise(compute, steps, std::move(buckets));
    const auto mean = [&](StepTraffic ShardedTimeline::*part, Time StepTraffic::*purpose) {
        return mean_ps(iterations, [&](const ShardedTimeline& it) { return (it.*part.*purpose).ps; });
    };
    const auto all = &ShardedTimeline::communication, exposed = &ShardedTimeline::exposed;
    step.sharding =
        ShardingReport{mean(all, &StepTraffic::gather_forward),      mean(all, &StepTraffic::gather_backward),
                       mean(all, &StepTraffic::reduce_scatter),      mean(exposed, &StepTraffic::gather_forward),
                       mean(exposed, &StepTraffic::gather_backward), mean(exposed, &StepTraffic::reduce_scatter)};
    return step;
}

void add_comparison(StepReport& step, const std::string& name, const StepReport& other) {
    AmdahlCheck check;
    const double f = check.exposed_share = other.exposed_share;
    const double s = check.allreduce_speedup = ratio(other.communication_ps, step.communication_ps);
    check.predicted = 1 / (1 - f + f / s);
    check.simulated = ratio(other.step_ps, step.step_ps);
    check.difference = check.predicted / check.simulated - 1;
    step.speedup.emplace_back(name, check.simulated);
    step.amdahl.emplace_back(name, check);
}

nlohmann::ordered_json step_json(const StepReport& step) {
    nlohmann::ordered_json object = to_json<StepReport>(step);
    if (step.sharding) object["sharding"] = to_json(*step.sharding);
    auto& speedup = object["speedup"] = nlohmann::ordered_json::object();
    for (const auto& [other, factor] : step.speedup) speedup[other] = factor;
    auto& amdahl = object["amdahl"] = nlohmann::ordered_json::object();
    for (const auto& [other, check] : step.amdahl) amdahl[other] = to_json<AmdahlCheck>(check);
    return object;
}

}   // namespace oscar
