#include "sim/experiment/experiment.hpp"

#include "models/core/random.hpp"
#include "models/network/core/vc_router.hpp"
#include "sim/experiment/background.hpp"
#include "sim/experiment/bucket_run.hpp"
#include "sim/experiment/channels.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/find.hpp"
#include "sim/experiment/jobs.hpp"
#include "sim/experiment/method_reports.hpp"
#include "sim/experiment/network.hpp"
#include "sim/experiment/nodes.hpp"
#include "sim/experiment/parameter_gather.hpp"
#include "sim/experiment/raw_run.hpp"
#include "sim/report/host_clock.hpp"
#include "sim/trace/trace.hpp"
#include "sim/experiment/training_step.hpp"
#include "sim/experiment/tuner.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

fs::path find_trace(const Experiment& experiment) {
    const fs::path wanted = experiment.parameters.trace;
    if (auto found = find_beside(wanted, experiment.file)) return *found;
    experiment.source.child("trace").fail(
        "no such folder '" + wanted.string() +
        "', here or beside the configuration or above it; name a folder that holds a trace.yaml");
}

void check_trace(const Experiment& experiment, const Trace& trace) {
    const Parameters& p = experiment.parameters;
    const auto& manifest = trace.manifest();
    const std::uint64_t captured = manifest.iterations.size();
    if (std::uint64_t{p.iterations.first} + p.iterations.count > captured)
        experiment.source.child("iterations")
            .fail("positions " + std::to_string(p.iterations.first) + " to " +
                  std::to_string(std::uint64_t{p.iterations.first} + p.iterations.count - 1) +
                  " are wanted, but the trace has 0 to " + std::to_string(captured - 1) + "; lower first or count");
}

/// The layers of each AllReduce of an iteration.
std::vector<std::vector<std::size_t>> buckets_of(const Experiment& experiment, const Trace& trace) {
    const Parameters& p = experiment.parameters;
    std::vector<std::size_t> layers;
    try {
        layers = choose_layers(trace.manifest(), p.layers);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("layers").fail(error.what());
    }
    if (p.step) return layers_of_buckets(trace.manifest(), layers, p.step->buckets);
    try {
        return {p.bucket ? layers_of_bucket(trace.manifest(), layers, *p.bucket) : layers};
    } catch (const std::out_of_range& error) {
        experiment.source.child("bucket").fail(error.what());
    }
}

/// The first iteration of the unbroken run that ends at `first`.
std::uint32_t warm_up_from(const Trace& trace, std::uint32_t first) {
    while (first > 0 && trace.follows(first)) --first;
    return first;
}

/// Buckets draw independently; one that is all of the gradient draws by the seed itself.
std::uint64_t seed_of(const Parameters& p, std::uint64_t bucket) { return p.step ? random_at(p.seed, bucket) : p.seed; }

void run_iterations(const Parameters& p, const Trace& trace, Machine& machine, BucketRuns& buckets,
                    const Progress& progress) {
    const std::uint32_t begin = warm_up_from(trace, p.iterations.first), end = p.iterations.first + p.iterations.count;
    const double all = static_cast<double>(std::size_t{end - begin} * buckets.size() * p.methods.size());
    double done = 0;
    for (std::uint32_t position = begin; position < end; ++position)
        for (std::size_t b = 0; b < buckets.size(); ++b) {
            const std::string what =
                "iteration " + std::to_string(position) + (p.step ? ", bucket " + std::to_string(b) : "") + ", ";
            buckets[b].run(position, position == begin, machine,
                           [&](const std::string& method) { progress(what + method, done++ / all); });
        }
}

/// The step around the collectives. Parameters of a bucket are as many as its gradients, and gathering them takes as
/// long in every iteration.
std::optional<StepSetting> step_setting(const Parameters& p, const std::optional<StepCompute>& compute,
                                        const BucketRuns& buckets, Machine& machine) {
    if (!p.step) return std::nullopt;
    StepSetting step{*p.step, *compute, {}};
    if (p.step->strategy == StepStrategy::fsdp)
        for (const BucketRun& bucket : buckets)
            step.gathers.push_back(run_parameter_gather(p, static_cast<std::uint32_t>(bucket.elements()), machine));
    return step;
}

TraceReport trace_report(const Parameters& p, const Trace& trace, const BucketRuns& buckets, const std::string& hash) {
    TraceReport report;
    report.name = trace.manifest().name;
    report.hash = hash;
    report.ranks = trace.ranks();
    report.resampled_ranks = p.ranks - std::min(p.ranks, trace.ranks());
    for (const BucketRun& bucket : buckets) report.elements += bucket.elements();
    for (std::uint32_t i = 0; i < p.iterations.count; ++i) {
        report.iterations.push_back(p.iterations.first + i);
        report.repeated_ranks =
            std::max(report.repeated_ranks, repeated(resampled_rows(trace, p.iterations.first + i, p.ranks)));
    }
    return report;
}

/// What an experiment replays and on what: all that can be told to be wrong without reading a gradient is right.
struct Prepared {
    Trace trace;
    std::vector<std::vector<std::size_t>> buckets;   ///< layers of each AllReduce of an iteration
    std::optional<StepCompute> compute;
    Topology topology;
};

Prepared prepare(const Experiment& experiment) {
    Trace trace = Trace::open(find_trace(experiment));
    check_trace(experiment, trace);
    auto buckets = buckets_of(experiment, trace);
    std::optional<StepCompute> compute;
    if (experiment.parameters.step) compute = compute_of(experiment, trace.manifest(), buckets);
    std::uint64_t elements = 0;
    for (const auto& layers : buckets)
        for (const std::size_t l : layers) elements += trace.layer_offsets()[l + 1] - trace.layer_offsets()[l];
    Topology topology = topology_of(experiment, elements);
    return {std::move(trace), std::move(buckets), std::move(compute), std::move(topology)};
}

/// An AllReduce alone says nothing of a step, one of a trace nothing of a size.
nlohmann::ordered_json resolved(const Parameters& p) {
    auto config = to_json(p);
    leave_out_one_channel(config["collective"]);
    for (auto& job : config["jobs"]) leave_out_one_channel(job["collective"]);
    if (!p.step) config.erase("step");
    if (p.nodes.empty()) config.erase("nodes");
    if (p.jobs.empty()) config.erase("jobs");
    if (!p.network.background) config["network"].erase("background");
    config.erase("tuner");   // what it has set stands in the rest; a note names it
    if (!p.size) config.erase("size");
    else
        for (const char* key : {"trace", "iterations", "layers", "bucket"}) config.erase(key);
    if (std::holds_alternative<FlowsParams>(p.collective.params)) config.erase("size");   // the sum of theirs
    if (input_queued(p.network) == nullptr) config["network"].erase("router");
    else config["network"]["link"].erase("buffer");   // those of routers are counted in flits
    return config;
}

std::vector<std::string> notes_on(const Parameters& p, const Routes& routes) {
    std::vector<std::string> notes;
    if (p.payload == Payload::raw)
        notes.emplace_back(
            "payload raw: neither values nor bytes; times and sizes alone, nothing was summed and no sum checked");
    if (p.payload == Payload::sized)
        notes.emplace_back(
            "payload sized: sizes computed, bytes not made; sums are those of the values alone, no coder was checked");
    if (p.tuner) notes.push_back(note_on_tuning(p));
    if (!p.nodes.empty()) notes.push_back(note_on_nodes(p));
    if (input_queued(p.network) != nullptr) notes.push_back(note_on_routers(p.network));
    if (has_background(p)) notes.push_back(note_on_background(p));
    if (auto note = note_on_overload(p, routes)) notes.push_back(*note);
    if (auto note = note_on_credits(p, routes)) notes.push_back(*note);
    return notes;
}

Report empty_report(const Parameters& p, const Routes& routes) {
    return {p.experiment, OSCAR_VERSION, resolved(p), p.seed, notes_on(p, routes), {}, {}, {}};
}

/// Without a trace every iteration would be the same: there is one.
Report run_without_trace(const Experiment& experiment, const Progress& progress) {
    const HostClock clock;
    const Parameters& p = experiment.parameters;
    const Topology topology = topology_of(experiment);
    const Routes routes(topology, p.network.routing, p.network.virtual_channels);
    Machine machine("machine", topology, nodes_of(p), p.network, p.fidelity);
    Report report = empty_report(p, routes);
    report.trace.name = "raw";
    report.trace.ranks = p.ranks;
    report.trace.elements = values_of(*p.size);
    for (std::size_t m = 0; m < p.methods.size(); ++m) {
        progress(p.methods[m].name, static_cast<double>(m) / static_cast<double>(p.methods.size()));
        if (p.jobs.empty()) {
            report.methods.push_back(summarise(p.methods[m].name, {run_raw(p, p.methods[m], routes, machine)}));
            continue;
        }
        const JobsResult result = run_jobs(p, p.methods[m], machine);
        report.methods.push_back(summarise(p.methods[m].name, {result.together}));
        report.methods.back().jobs = result.jobs;
    }
    add_speedups(report.methods);
    report.host = clock.stop(machine.cost().events, machine.cost().flit_hops);
    return report;
}

}   // namespace

std::optional<fs::path> check(const Experiment& experiment) {
    if (experiment.parameters.payload != Payload::raw) return prepare(experiment).trace.folder();
    topology_of(experiment);
    return std::nullopt;
}

Report run(const Experiment& experiment, const Progress& progress) {
    if (experiment.parameters.payload == Payload::raw) return run_without_trace(experiment, progress);
    const HostClock clock;
    const Parameters& p = experiment.parameters;
    const Prepared prepared = prepare(experiment);
    const Trace& trace = prepared.trace;
    const std::string hash = trace.hash();   // now, for it reads every array, and a broken one must not cost a long run

    Machine machine("machine", prepared.topology, nodes_of(p), p.network, p.fidelity);
    const Routes routes(prepared.topology, p.network.routing, p.network.virtual_channels);
    BucketRuns buckets;
    for (std::size_t b = 0; b < prepared.buckets.size(); ++b)
        buckets.emplace_back(experiment, trace, routes, prepared.buckets[b], seed_of(p, b));
    run_iterations(p, trace, machine, buckets, progress);

    Report report = empty_report(p, routes);
    report.trace = trace_report(p, trace, buckets, hash);
    report.methods = method_reports(trace.manifest(), buckets, step_setting(p, prepared.compute, buckets, machine));
    report.host = clock.stop(machine.cost().events, machine.cost().flit_hops);
    return report;
}

}   // namespace oscar
