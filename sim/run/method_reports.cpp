#include "sim/run/method_reports.hpp"

#include "sim/report/statistics.hpp"

namespace oscar {
namespace {

/// [iteration][bucket], of method number m.
std::vector<std::vector<IterationResult>> results_of(const BucketRuns& buckets, std::size_t m) {
    std::vector<std::vector<IterationResult>> results(buckets.front().methods()[m].iterations.size());
    for (const BucketRun& bucket : buckets)
        for (std::size_t i = 0; i < results.size(); ++i) results[i].push_back(bucket.methods()[m].iterations[i]);
    return results;
}

std::vector<BucketReport> bucket_reports(const TraceManifest& manifest, const BucketRuns& buckets) {
    std::vector<BucketReport> reports;
    for (const BucketRun& bucket : buckets) {
        BucketReport& report = reports.emplace_back();
        report.elements = bucket.elements();
        for (const std::size_t l : bucket.layers()) report.layers.push_back(manifest.layers[l].name);
    }
    return reports;
}

/// Per bucket.
std::vector<Time> times_of(const std::vector<IterationResult>& iteration) {
    std::vector<Time> times;
    times.reserve(iteration.size());
    for (const IterationResult& bucket : iteration) times.push_back(Time{bucket.allreduce_ps});
    return times;
}

StepReport step_report(const StepSetting& step, const std::vector<std::vector<IterationResult>>& iterations,
                       std::vector<BucketReport> buckets) {
    std::vector<StepTimeline> timelines;
    timelines.reserve(iterations.size());
    for (const auto& iteration : iterations) timelines.push_back(timeline_of(step, times_of(iteration)));
    return summarise(step.compute, timelines, std::move(buckets));
}

StepReport sharded_report(const StepSetting& step, const std::vector<std::vector<IterationResult>>& iterations,
                          std::vector<BucketReport> buckets) {
    std::vector<ShardedTimeline> timelines;
    timelines.reserve(iterations.size());
    for (const auto& iteration : iterations) timelines.push_back(sharded_timeline_of(step, times_of(iteration)));
    return summarise(step.compute, timelines, std::move(buckets));
}

}   // namespace

MethodReport method_report(const std::string& name, const std::vector<std::vector<IterationResult>>& iterations,
                           const std::optional<StepSetting>& step, std::vector<BucketReport> buckets) {
    std::vector<IterationResult> sums;
    sums.reserve(iterations.size());
    for (const auto& iteration : iterations) sums.push_back(sum_of_buckets(iteration));
    MethodReport report = summarise(name, sums);
    if (!step) return report;
    const bool sharded = is_sharded(step->params.strategy);
    report.step = (sharded ? sharded_report : step_report)(*step, iterations, std::move(buckets));
    return report;
}

std::vector<MethodReport> method_reports(const TraceManifest& manifest, const BucketRuns& buckets,
                                         const std::optional<StepSetting>& step) {
    std::vector<MethodReport> reports;
    for (std::size_t m = 0; m < buckets.front().methods().size(); ++m)
        reports.push_back(method_report(buckets.front().methods()[m].name, results_of(buckets, m), step,
                                        step ? bucket_reports(manifest, buckets) : std::vector<BucketReport>{}));
    add_speedups(reports);
    return reports;
}

}   // namespace oscar
