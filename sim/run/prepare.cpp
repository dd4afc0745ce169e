#include "sim/run/prepare.hpp"

#include <algorithm>

#include "sim/checks/checks.hpp"
#include "sim/checks/network.hpp"
#include "sim/run/training_step.hpp"

namespace oscar {

Prepared prepare(const Experiment& experiment, const TraceManifest& manifest) {
    auto buckets = checked_buckets(experiment, manifest);
    check_ready_times(experiment, manifest);
    std::uint64_t largest = 0;
    for (const auto& layers : buckets) largest = std::max(largest, elements_of(manifest, layers));
    Topology topology = prepare_topology(experiment, largest);
    run_checks(checks_as_captured, CapturedExperiment{experiment, manifest, buckets, topology});
    std::optional<StepCompute> compute;
    if (experiment.parameters.step) compute = compute_of(experiment.parameters, manifest, buckets);
    return {std::move(buckets), std::move(compute), std::move(topology)};
}

Topology prepare_topology(const Experiment& experiment, std::uint64_t elements) {
    const Parameters& p = experiment.parameters;
    Topology topology = cabled_topology(p.network, simulated_ranks(p), experiment.source.child("network"));
    run_checks(checks_as_cabled, CabledExperiment{experiment, topology, elements});
    return topology;
}

}   // namespace oscar
