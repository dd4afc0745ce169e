#include "sim/run/given_step.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/run/by_size.hpp"
#include "sim/run/method_reports.hpp"
#include "sim/run/synthetic_run.hpp"

namespace oscar {

StepCompute compute_of_given(const Parameters& p) {
    std::vector<Time> ready;
    for (const GivenBucket& bucket : p.step->given) ready.push_back(bucket.ready);
    const Time backward = p.step->backward.value_or(*std::ranges::max_element(ready));
    return make_compute(slowed(*p.step, backward, slowdown_of(p)), ready, backward);
}

std::optional<StepSetting> setting_of_given(const Parameters& p, Machine& machine) {
    std::vector<std::uint64_t> elements;
    for (const GivenBucket& bucket : p.step->given) elements.push_back(values_of(bucket.bytes));
    return step_setting(p, compute_of_given(p), elements, machine);
}

GivenStepRun run_given_step(const Parameters& p, const Method& method, const std::optional<StepSetting>& step,
                            const Routes& routes, Machine& machine, const ShareDone& progress) {
    GivenStepRun run;
    std::vector<BucketReport> named;
    BySize<IterationResult> results(p.step->reuse);
    Parameters of_bucket = p;
    const double all = static_cast<double>(size_of(*p.step).count);
    double done = 0;
    for (const GivenBucket& bucket : p.step->given) {
        of_bucket.size = bucket.bytes;
        const double share = static_cast<double>(bucket.bytes.count) / all;
        run.buckets.push_back(results.of(values_of(bucket.bytes), [&] {
            return run_synthetic(of_bucket, method, routes, machine,
                                 [&](double part) { progress(done + part * share); });
        }));
        done += share;
        of_bucket.timeline = false;   // that of the first stands for all
        named.emplace_back().elements = values_of(bucket.bytes);
        named.back().layers = {"bucket" + std::to_string(named.size() - 1)};
    }
    run.report = method_report(method.name, {run.buckets}, step, std::move(named));
    return run;
}

}   // namespace oscar
