#include "sim/experiment.hpp"

#include <sys/resource.h>

#include <chrono>
#include <limits>

#include "sim/codes.hpp"
#include "sim/config/echo.hpp"
#include "sim/config/find.hpp"
#include "sim/method_run.hpp"
#include "sim/scale_exchange.hpp"
#include "sim/trace/trace.hpp"

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

std::vector<std::size_t> layers_of(const Experiment& experiment, const Trace& trace) {
    const Parameters& p = experiment.parameters;
    std::vector<std::size_t> layers;
    try {
        layers = choose_layers(trace.manifest(), p.layers);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("layers").fail(error.what());
    }
    try {
        return p.bucket ? layers_of_bucket(trace.manifest(), layers, *p.bucket) : layers;
    } catch (const std::out_of_range& error) {
        experiment.source.child("bucket").fail(error.what());
    }
}

/// Elements of a bucket are counted in 32 bits.
void check_size(const Experiment& experiment, const Trace& trace, std::span<const std::size_t> layers) {
    std::uint64_t values = 0;
    for (const std::size_t l : layers) values += trace.layer_offsets()[l + 1] - trace.layer_offsets()[l];
    if (values > std::numeric_limits<std::int32_t>::max())
        experiment.source.child("bucket").fail(
            std::to_string(values) + " values in one AllReduce; choose a bucket, like {size: 25MiB, index: 0}");
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

/// The first iteration of the unbroken run that ends at `first`.
std::uint32_t warm_up_from(const Trace& trace, std::uint32_t first) {
    while (first > 0 && trace.follows(first)) --first;
    return first;
}

/// Per rank, a start within the skew, by a generator whose output the standard fixes.
std::vector<Time> starts(const Parameters& p, std::uint32_t position) {
    if (p.start_skew == Time{}) return {};
    std::seed_seq seeds{static_cast<std::uint32_t>(p.seed), static_cast<std::uint32_t>(p.seed >> 32), position};
    std::mt19937_64 random(seeds);
    std::vector<Time> result;
    for (std::uint32_t r = 0; r < p.ranks; ++r)
        result.push_back({static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(p.start_skew.ps + 1))});
    return result;
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

void run_iterations(const Experiment& experiment, const Trace& trace, const Replay& replay, System& system,
                    std::vector<MethodRun>& methods, const Progress& progress) {
    const Parameters& p = experiment.parameters;
    const std::uint32_t begin = warm_up_from(trace, p.iterations.first), end = p.iterations.first + p.iterations.count;
    CodeSource source(replay, p.quantiser, p.seed);
    double done = 0;
    for (std::uint32_t position = begin; position < end; ++position) {
        IterationCodes codes = source.next(position);
        codes.continues = codes.continues && position > begin;
        const bool timed = position >= p.iterations.first;
        const Time exchange =
            timed && codes.exchanged ? run_scale_exchange(system, codes, issue_of(p.collective)) : Time{};
        for (MethodRun& method : methods) {
            progress("iteration " + std::to_string(position) + ", " + method.name(), done / (end - begin));
            if (timed) method.replay(system, codes, starts(p, position), exchange);
            else method.warm_up(codes);
            done += 1.0 / static_cast<double>(methods.size());
        }
    }
}

void add_method(const Experiment& experiment, const Method& method, const Topology& topology, const Replay& replay,
                std::vector<MethodRun>& methods) {
    try {
        methods.emplace_back(experiment.parameters, method, topology, replay.tensors());
    } catch (const std::invalid_argument& error) {
        experiment.source.child("methods").fail(method.name + ": " + error.what());
    }
}

TraceReport trace_report(const Parameters& p, const Trace& trace, const Replay& replay, const std::string& hash) {
    TraceReport report;
    report.name = trace.manifest().name;
    report.hash = hash;
    report.ranks = trace.ranks();
    report.resampled_ranks = p.ranks - std::min(p.ranks, trace.ranks());
    report.elements = replay.elements();
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
    std::vector<std::size_t> layers;
    Topology topology;
};

Prepared prepare(const Experiment& experiment) {
    Trace trace = Trace::open(find_trace(experiment));
    check_trace(experiment, trace);
    std::vector<std::size_t> layers = layers_of(experiment, trace);
    check_size(experiment, trace, layers);
    Topology topology = topology_of(experiment);
    check_flows(experiment, topology);
    return {std::move(trace), std::move(layers), std::move(topology)};
}

}   // namespace

fs::path check(const Experiment& experiment) { return prepare(experiment).trace.folder(); }

Report run(const Experiment& experiment, const Progress& progress) {
    const HostClock clock;
    const Parameters& p = experiment.parameters;
    const Prepared prepared = prepare(experiment);
    const Trace& trace = prepared.trace;
    const Topology& topology = prepared.topology;
    const std::string hash = trace.hash();   // now, for it reads every array, and a broken one must not cost a long run
    const Replay replay(trace, p.ranks, prepared.layers);

    System system("machine", topology, {p.gpu, p.nic, p.engine}, p.network);
    std::vector<MethodRun> methods;
    methods.reserve(p.methods.size());   // endpoints hold pointers into their run
    for (const Method& method : p.methods) add_method(experiment, method, topology, replay, methods);
    run_iterations(experiment, trace, replay, system, methods, progress);

    Report report{p.experiment, OSCAR_VERSION, to_json(p), p.seed, {}, {}, {}};
    report.trace = trace_report(p, trace, replay, hash);
    for (const MethodRun& method : methods) report.methods.push_back(summarise(method.name(), method.results()));
    add_speedups(report.methods);
    report.host = clock.stop(system.cost());
    return report;
}

}   // namespace oscar
