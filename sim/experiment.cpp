#include "sim/experiment.hpp"

#include <sys/resource.h>

#include <chrono>

#include "models/core/random.hpp"
#include "sim/bucket_run.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/find.hpp"
#include "sim/method_reports.hpp"
#include "sim/trace/trace.hpp"
#include "sim/training_step.hpp"

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

Topology topology_of(const Experiment& experiment) {
    try {
        return make_topology(experiment.parameters.network.topology, experiment.parameters.ranks);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("network").child("topology").fail(error.what());
    }
}

void check_flows(const Experiment& experiment, const Topology& topology) {
    for (const Step& step : make_schedule(experiment.parameters.collective, experiment.parameters.ranks).steps)
        if (topology.path(step.from, step.to).empty())
            experiment.source.child("network")
                .child("topology")
                .fail("no way from rank " + std::to_string(step.from.value) + " to rank " +
                      std::to_string(step.to.value) +
                      ", which the collective needs; choose another topology, such as star");
}

void check_network(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (const auto problem = why_not(p.network, {&p.network.link, 1}, p.fidelity))
        experiment.source.child("network").child(problem->key).fail(problem->text);
}

/// The first iteration of the unbroken run that ends at `first`.
std::uint32_t warm_up_from(const Trace& trace, std::uint32_t first) {
    while (first > 0 && trace.follows(first)) --first;
    return first;
}

/// Wall and processor time of this process since construction.
class HostClock {
public:
    HostReport stop(SimulationCost cost) const {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        HostReport host;
        host.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
        host.cpu_s = cpu_seconds() - cpu_;
        host.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
        host.events = cost.events;
        host.flit_hops = cost.flit_hops;
        host.events_per_wall_s = static_cast<double>(cost.events) / host.wall_s;
        host.flit_hops_per_cpu_s = static_cast<double>(cost.flit_hops) / host.cpu_s;
        return host;
    }

private:
    static double cpu_seconds() {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        const auto seconds = [](timeval t) {
            return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    }
    std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
    double cpu_ = cpu_seconds();
};

/// Buckets draw independently; one that is all of the gradient draws by the seed itself.
std::uint64_t seed_of(const Parameters& p, std::uint64_t bucket) { return p.step ? random_at(p.seed, bucket) : p.seed; }

void run_iterations(const Parameters& p, const Trace& trace, System& system, BucketRuns& buckets,
                    const Progress& progress) {
    const std::uint32_t begin = warm_up_from(trace, p.iterations.first), end = p.iterations.first + p.iterations.count;
    const double all = static_cast<double>(std::size_t{end - begin} * buckets.size() * p.methods.size());
    double done = 0;
    for (std::uint32_t position = begin; position < end; ++position)
        for (std::size_t b = 0; b < buckets.size(); ++b) {
            const std::string what =
                "iteration " + std::to_string(position) + (p.step ? ", bucket " + std::to_string(b) : "") + ", ";
            buckets[b].run(position, position == begin, system,
                           [&](const std::string& method) { progress(what + method, done++ / all); });
        }
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
    Topology topology = topology_of(experiment);
    check_network(experiment);
    check_flows(experiment, topology);
    return {std::move(trace), std::move(buckets), std::move(compute), std::move(topology)};
}

/// An AllReduce alone says nothing of a step: its report is what it was before there were any.
nlohmann::ordered_json resolved(const Parameters& p) {
    auto config = to_json(p);
    if (!p.step) config.erase("step");
    return config;
}

std::vector<std::string> notes_on(const Parameters& p) {
    if (p.payload == Payload::exact) return {};
    return {"payload sized: sizes computed, bytes not made; sums are those of the values alone, no coder was checked"};
}

}   // namespace

fs::path check(const Experiment& experiment) { return prepare(experiment).trace.folder(); }

Report run(const Experiment& experiment, const Progress& progress) {
    const HostClock clock;
    const Parameters& p = experiment.parameters;
    const Prepared prepared = prepare(experiment);
    const Trace& trace = prepared.trace;
    const std::string hash = trace.hash();   // now, for it reads every array, and a broken one must not cost a long run

    System system("machine", prepared.topology, {p.gpu, p.nic, p.engine}, p.network, p.fidelity);
    BucketRuns buckets;
    for (std::size_t b = 0; b < prepared.buckets.size(); ++b)
        buckets.emplace_back(experiment, trace, prepared.topology, prepared.buckets[b], seed_of(p, b));
    run_iterations(p, trace, system, buckets, progress);

    Report report{p.experiment, OSCAR_VERSION, resolved(p), p.seed, notes_on(p), {}, {}, {}};
    report.trace = trace_report(p, trace, buckets, hash);
    report.methods = method_reports(trace.manifest(), buckets, prepared.compute);
    report.host = clock.stop(system.cost());
    return report;
}

}   // namespace oscar
