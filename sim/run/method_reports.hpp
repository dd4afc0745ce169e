// From the runs of all buckets to the report of each method.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/run/bucket_run.hpp"
#include "sim/run/training_step.hpp"

namespace oscar {

/// The report of a method, of whose iterations each has a result for each bucket; with `step` also its training step,
/// whose `buckets` are named.
MethodReport method_report(const std::string& name, const std::vector<std::vector<IterationResult>>& iterations,
                           const std::optional<StepSetting>& step, std::vector<BucketReport> buckets);

/// The report of each method over all buckets, at least one, in the order of the experiment, with speed-ups. With
/// `step` each report has its own training step.
std::vector<MethodReport> method_reports(const TraceManifest& manifest, const BucketRuns& buckets,
                                         const std::optional<StepSetting>& step);

}   // namespace oscar
