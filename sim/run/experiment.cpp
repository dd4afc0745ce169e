#include "sim/run/experiment.hpp"

#include <algorithm>

#include "sim/checks/effort/events.hpp"
#include "sim/checks/trace.hpp"
#include "sim/parameters/echo_parameters.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/report/break_even.hpp"
#include "sim/report/energy_comparison.hpp"
#include "sim/report/host_clock.hpp"
#include "sim/run/bucket_run.hpp"
#include "sim/run/given_step.hpp"
#include "sim/run/jobs.hpp"
#include "sim/run/method_reports.hpp"
#include "sim/run/notes/notes.hpp"
#include "sim/run/prepare.hpp"
#include "sim/run/synthetic_run.hpp"
#include "sim/run/threads.hpp"

namespace oscar {
namespace {

/// The trace that the experiment replays.
Trace trace_of(const Experiment& experiment) {
    Trace trace = Trace::open(find_trace(experiment));
    check_iterations(experiment, trace.manifest());
    return trace;
}

/// The experiment with NCCL's choice for the largest bucket of its trace, if its collective waits for one.
Experiment with_choice(Experiment experiment, const TraceManifest& manifest) {
    if (nccl_in(experiment.parameters) == nullptr) return experiment;
    std::uint64_t largest = 0;
    for (const auto& layers : checked_buckets(experiment, manifest))
        largest = std::max(largest, elements_of(manifest, layers));
    choose_nccl(experiment, largest);
    return experiment;
}

/// The first iteration of the unbroken run that ends at `first`.
std::uint32_t warm_up_from(const Trace& trace, std::uint32_t first) {
    while (first > 0 && trace.follows(first)) --first;
    return first;
}

void run_iterations(const Parameters& p, const Trace& trace, Machine& machine, BucketRuns& buckets,
                    const Progress& progress) {
    const std::uint32_t begin = warm_up_from(trace, p.iterations.first), end = p.iterations.first + p.iterations.count;
    const double all = static_cast<double>(std::size_t{end - begin} * buckets.size() * p.methods.size());
    double begun = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b)
        buckets[b].run(begin, machine, [&](std::uint32_t position, const std::string& method, double share) {
            begun += share == 0;
            progress("iteration " + std::to_string(position) + (p.step ? ", bucket " + std::to_string(b) : "") + ", " +
                         method,
                     (begun - 1 + share) / all);
        });
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

/// The machine before it was scaled, with its scale; none where it was not.
std::optional<nlohmann::ordered_json> config_as_written(const Experiment& experiment) {
    const std::uint32_t scale = experiment.parameters.scale;
    if (scale == 1) return std::nullopt;
    auto config = resolved(read_experiment(experiment.source, experiment.file).parameters);
    config["scale"] = scale;
    return config;
}

void add(const std::vector<std::string>& more, std::vector<std::string>& notes) {
    notes.insert(notes.end(), more.begin(), more.end());
}

Report empty_report(const Experiment& experiment, const Routes& routes) {
    const Parameters& p = experiment.parameters;
    Report report;
    report.experiment = p.experiment;
    report.program_version = OSCAR_VERSION;
    report.config = resolved(p);
    report.config_as_written = config_as_written(experiment);
    report.seed = p.seed;
    report.notes = notes_on_merging(experiment);
    add(notes_on_settings(experiment, routes.topology()), report.notes);
    add(notes_on(p, routes), report.notes);
    report.costs = note_on_costs(p);
    return report;
}

/// Adds the break-even with the first method that sends fp32, if there is one.
void add_break_even(std::vector<MethodReport>& reports, const Parameters& p, const Topology& topology) {
    const std::vector<Method>& methods = p.methods;
    const auto baseline = std::ranges::find_if(methods, [](const Method& method) {
        return !method.lossy && std::holds_alternative<Fp32Params>(method.codec.params);
    });
    if (baseline == methods.end()) return;
    const auto slowest =
        std::ranges::min_element(topology.edges, {}, [](const Topology::Edge& edge) { return edge.link.bandwidth; });
    add_break_even(reports, static_cast<std::size_t>(baseline - methods.begin()),
                   Bandwidth{slowest->link.bandwidth.mbps * p.scale});
}

/// `waveform` is made where one is asked for.
MachineParts parts_of(const Parameters& p, std::optional<Waveform>& waveform) {
    MachineParts parts;
    if (p.waveform) parts.waveform = &waveform.emplace(*p.waveform);
    return parts;
}

void announce_effort(const Announce& announce, const Parameters& p, const Routes& routes,
                     std::span<const std::uint64_t> buckets) {
    if (!announce) return;
    if (const auto note = note_on_effort(effort_of(p, routes, buckets))) announce(*note);
}

/// Without a trace every iteration would be the same: there is one.
Report run_without_trace(const Experiment& experiment, const Progress& progress, const Announce& announce) {
    const HostClock clock;
    const Parameters& p = experiment.parameters;
    progress("preparation: network, checks", 0);
    const Topology topology = prepare_topology(experiment);
    progress("preparation: routes, estimate of the work", 0);
    const Routes routes(topology, p.network.routing, p.network.virtual_channels);
    announce_effort(announce, p, routes, {});
    progress("preparation: machine", 0);
    std::optional<Waveform> waveform;
    Machine machine("machine", topology, nodes_of(p), p.network, p.fidelity, parts_of(p, waveform));
    Report report = empty_report(experiment, routes);
    report.trace.name = "synthetic";
    report.trace.ranks = p.ranks;
    report.trace.elements = values_of(*p.size);
    const std::optional<StepSetting> step = p.step ? setting_of_given(p, machine) : std::nullopt;
    for (std::size_t m = 0; m < p.methods.size(); ++m) {
        const auto share_done = [&](double share) {
            progress(p.methods[m].name, (static_cast<double>(m) + share) / static_cast<double>(p.methods.size()));
        };
        share_done(0);
        if (p.step) {
            GivenStepRun run = run_given_step(p, p.methods[m], step, routes, machine, share_done);
            if (waveform) report.waveforms.push_back({p.methods[m].name, run.buckets.front().waveform});
            if (p.timeline) report.timelines.push_back({p.methods[m].name, run.buckets.front().timeline});
            report.methods.push_back(std::move(run.report));
            continue;
        }
        if (p.jobs.empty()) {
            const IterationResult result = run_synthetic(p, p.methods[m], routes, machine, share_done);
            if (waveform) report.waveforms.push_back({p.methods[m].name, result.waveform});
            if (p.timeline) report.timelines.push_back({p.methods[m].name, result.timeline});
            report.methods.push_back(summarise(p.methods[m].name, {result}));
            continue;
        }
        const JobsResult result = run_jobs(p, p.methods[m], machine, share_done);
        if (waveform) report.waveforms.push_back({p.methods[m].name, result.together.waveform});
        if (p.timeline) report.timelines.push_back({p.methods[m].name, result.together.timeline});
        report.methods.push_back(summarise(p.methods[m].name, {result.together}));
        report.methods.back().jobs = result.jobs;
    }
    add_speedups(report.methods);
    add_break_even(report.methods, p, topology);
    add_energy_comparison(report.methods);
    add(notes_on_timelines(p, report), report.notes);
    report.host = clock.stop(machine.cost().events, machine.cost().flit_hops);
    return report;
}

}   // namespace

std::optional<std::filesystem::path> check(const Experiment& experiment) {
    if (experiment.parameters.payload != Payload::synthetic) {
        const Trace trace = trace_of(experiment);
        prepare(with_choice(experiment, trace.manifest()), trace.manifest());
        return trace.folder();
    }
    prepare_topology(experiment);
    return std::nullopt;
}

Report run(const Experiment& written, const Progress& progress, std::uint32_t threads, const Announce& announce) {
    if (written.parameters.payload == Payload::synthetic) return run_without_trace(written, progress, announce);
    const HostClock clock;
    Threads pool(threads);
    const Trace trace = trace_of(written);
    const Experiment experiment = with_choice(written, trace.manifest());
    const Parameters& p = experiment.parameters;
    progress("preparation: network, checks", 0);
    const Prepared prepared = prepare(experiment, trace.manifest());
    progress("preparation: hash of the trace", 0);
    const std::string hash = trace.hash();   // now, for it reads every array, and a broken one must not cost a long run

    progress("preparation: machine", 0);
    std::optional<Waveform> waveform;
    Machine machine("machine", prepared.topology, nodes_of(p), p.network, p.fidelity, parts_of(p, waveform));
    progress("preparation: routes, estimate of the work", 0);
    const Routes routes(prepared.topology, p.network.routing, p.network.virtual_channels);
    std::vector<std::uint64_t> sizes;
    for (const auto& layers : prepared.buckets) sizes.push_back(elements_of(trace.manifest(), layers));
    announce_effort(announce, p, routes, sizes);
    BucketRuns buckets;
    for (std::size_t b = 0; b < prepared.buckets.size(); ++b)
        buckets.emplace_back(p, trace, routes, prepared.buckets[b], seed_of(p, b),
                             prepared.compute ? prepared.compute->backward : Time{}, pool.parallel_for());
    run_iterations(p, trace, machine, buckets, progress);

    Report report = empty_report(experiment, routes);
    report.trace = trace_report(p, trace, buckets, hash);
    report.methods = method_reports(trace.manifest(), buckets, step_setting(p, prepared.compute, sizes, machine));
    add_mask_notes(p, report);
    add_break_even(report.methods, p, prepared.topology);
    add_energy_comparison(report.methods);
    if (waveform)
        for (const MethodResults& method : buckets.front().methods())
            report.waveforms.push_back({method.name, method.iterations.front().waveform});
    for (const MethodResults& method : buckets.front().methods())
        if (const auto& timeline = method.iterations.front().timeline)
            report.timelines.push_back({method.name, timeline});
    add(notes_on_replay(p, trace.manifest(), report.methods, report.trace.elements), report.notes);
    add(notes_on_timelines(p, report), report.notes);
    report.host = clock.stop(machine.cost().events, machine.cost().flit_hops, threads);
    return report;
}

}   // namespace oscar
