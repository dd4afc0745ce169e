// The report of a run: plain values, described by field tables; JSON and the terminal table are made from them.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/metrics.hpp"
#include "sim/report/step_report.hpp"

namespace oscar {

/// A method over all replayed iterations: with a step, each a sum over its buckets.
struct MethodReport : IterationResult {
    std::string name;
    std::vector<std::pair<std::string, double>> speedup;   ///< over each method: its time / this one's
    std::vector<IterationResult> iterations;
    std::vector<JobReport> jobs;      ///< where the experiment has several
    std::optional<StepReport> step;   ///< where the experiment has one
};

struct TraceReport {
    std::string name;
    std::optional<std::string> hash;
    std::uint32_t ranks = 0, resampled_ranks = 0, repeated_ranks = 0;
    std::vector<std::uint32_t> iterations;
    std::uint64_t elements = 0;
    static constexpr auto fields() {
        using T = TraceReport;
        return Entries{
            field("name", &T::name, "of the trace; synthetic where there is none"),
            field("hash", &T::hash,
                  "identity of its contents: XXH3 of trace.yaml and of its arrays; null where there are none"),
            field("ranks", &T::ranks, "in the capture; without one, those of the experiment"),
            field("resampled_ranks", &T::resampled_ranks,
                  "replayed beyond those: micro-batches of neighbouring captured iterations"),
            field("repeated_ranks", &T::repeated_ranks,
                  "of those, that repeat a gradient of the same iteration; the most in any"),
            field("iterations", &T::iterations, "positions replayed"),
            field("elements", &T::elements, "gradient values per rank that are replayed")};
    }
};

/// The only part of a report that differs between two runs: threads, wall_s, cpu_s, peak_rss_bytes, and the rates made
/// of them.
struct HostReport {
    std::uint32_t threads = 1;
    double wall_s = 0, cpu_s = 0;
    std::uint64_t peak_rss_bytes = 0, events = 0, flit_hops = 0;
    double events_per_wall_s = 0, flit_hops_per_cpu_s = 0;
    static constexpr auto fields() {
        using H = HostReport;
        return Entries{field("threads", &H::threads, "threads that shared the work of the ranks"),
                       field("wall_s", &H::wall_s, "wall-clock time of the run"),
                       field("cpu_s", &H::cpu_s, "processor time of the run"),
                       field("peak_rss_bytes", &H::peak_rss_bytes, "largest resident memory"),
                       field("events", &H::events, "simulated events"),
                       field("events_per_wall_s", &H::events_per_wall_s, "events / wall_s"),
                       field("flit_hops", &H::flit_hops, "flits times links crossed"),
                       field("flit_hops_per_cpu_s", &H::flit_hops_per_cpu_s, "flit_hops / cpu_s")};
    }
};

/// The signals of a method's first collective.
struct MethodWaveform {
    std::string method;
    std::vector<Signal> signals;
};

/// The timeline of a method's first collective.
struct MethodTimeline {
    std::string method;
    std::shared_ptr<const TraceEvents> events;
};

struct Report {
    std::string experiment, program_version;
    nlohmann::ordered_json config;
    std::optional<nlohmann::ordered_json> config_as_written;   ///< of a machine that was scaled
    std::uint64_t seed = 0;
    std::vector<std::string> notes;     ///< what a reader must know before using any figure
    std::optional<std::string> costs;   ///< which work beside coding takes time, and which is assumed to be hidden
    TraceReport trace;
    std::vector<MethodReport> methods;
    HostReport host;
    std::vector<MethodWaveform> waveforms;   ///< where they are asked for; files of their own
    std::vector<MethodTimeline> timelines;   ///< likewise
};

/// The statistics of one method over its iterations, at least one; `step` and speed-ups are left out.
MethodReport summarise(std::string name, const std::vector<IterationResult>& iterations);
/// Adds the speed-ups of each method over each, also of their steps. Precondition: all have a step or none.
void add_speedups(std::vector<MethodReport>& methods);

/// The contract's report.json, schema 1. Law: a function of (program, config, trace, seed) but for `host`.
nlohmann::ordered_json to_json(const Report& report);

/// A line about the first method whose sums are not the reference's, if there is one.
std::optional<std::string> find_report_problem(const Report& report);

/// Writes folder/report.json by renaming a finished file, after folder/waveform-METHOD.vcd of each waveform and
/// folder/timeline-METHOD.json of each timeline. Throws
/// InputError if it cannot.
void write_report(const Report& report, const std::filesystem::path& folder);

/// The schema of the whole report. `config` may be any object: it has the schema of an experiment.
nlohmann::ordered_json report_schema();

}   // namespace oscar
