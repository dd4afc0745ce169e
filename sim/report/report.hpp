// The report of a run: plain values, described by field tables; JSON and the terminal table are made from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/core/fields.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/metrics.hpp"
#include "sim/report/step_report.hpp"

namespace oscar {

/// A method over all replayed iterations.
struct MethodReport {
    std::string name;
    std::int64_t allreduce_ps = 0;
    std::optional<std::int64_t> closed_form_ps;
    std::int64_t scale_exchange_ps = 0, boundary_broadcast_ps = 0, gpu_kernel_ps = 0;
    std::uint64_t payload_bytes = 0, wire_bytes = 0, values = 0, side_bytes = 0;
    std::uint64_t resent_messages = 0, resent_bytes = 0;
    std::uint64_t table_memory_bytes = 0, mask_memory_bytes = 0;
    double bits_per_value = 0, imbalance = 1;
    std::optional<double> chunk_prediction_error;
    std::optional<double> entropy_bits_per_value;
    double link_utilisation = 0, idle_wait_share = 0, engine_utilisation = 0;
    std::int64_t codec_ps = 0, wire_ps = 0, wait_ps = 0;
    CriticalPath critical_path;
    std::string bottleneck;
    std::optional<double> relative_l2_error, cosine;
    double algorithm_bandwidth_gbps = 0, bus_bandwidth_gbps = 0;
    std::uint64_t saturated_values = 0;
    std::optional<bool> sums_match_reference;
    std::vector<std::pair<std::string, double>> speedup;   ///< over each method: its time / this one's
    std::vector<LinkShare> links;                          ///< utilisation of each link used
    std::vector<IterationResult> iterations;
    std::vector<FlowReport> flows;             ///< of a list of transfers
    std::optional<TransportUse> transport;     ///< of all iterations, where the network may lose, pause, mark or repair
    std::optional<BackgroundUse> background;   ///< of all iterations, where there is such traffic
    std::vector<JobReport> jobs;               ///< where the experiment has several
    std::optional<StepReport> step;            ///< where the experiment has one; all of this is then over its buckets

    static constexpr auto fields() {
        using M = MethodReport;
        return std::tuple{
            field("name", &M::name, "of the method"),
            field(
                "allreduce_ps", &M::allreduce_ps,
                "first rank's start to last rank's whole sum, summed over the buckets of a step; mean over iterations"),
            field("closed_form_ps", &M::closed_form_ps,
                  "the same by max-plus recursion of step costs; null if slices share links"),
            field("scale_exchange_ps", &M::scale_exchange_ps, "of allreduce_ps, agreeing on the scale (Q1)"),
            field("boundary_broadcast_ps", &M::boundary_broadcast_ps,
                  "of allreduce_ps, rank 0 telling where chunks begin (P3)"),
            field("gpu_kernel_ps", &M::gpu_kernel_ps,
                  "of allreduce_ps, kernels of the GPU that make codes and undo them (gpu.gradients)"),
            field("algorithm_bandwidth_gbps", &M::algorithm_bandwidth_gbps,
                  "bits of the gradient in fp32 (all_to_all: of the part of it that a rank sends) / allreduce_ps, in "
                  "Gbit/s, whatever the method sends in their place"),
            field("bus_bandwidth_gbps", &M::bus_bandwidth_gbps,
                  "the same times what of the gradient each rank's link must carry at least: 2 (n-1)/n for an "
                  "AllReduce, (n-1)/n for reduce_scatter, all_gather and all_to_all, 1 for broadcast; comparable with "
                  "network.link.bandwidth, which compression can exceed"),
            field("payload_bytes", &M::payload_bytes, "encoded bytes, all ranks, steps and iterations"),
            field("wire_bytes", &M::wire_bytes,
                  "the same with packet headers, with what senders send again and what is answered, and with the scale "
                  "exchange and the boundary broadcast"),
            field("values", &M::values, "values carried, all ranks, steps and iterations"),
            field("side_bytes", &M::side_bytes,
                  "given to other ranks before the iteration: tables and histograms, not timed, and boundaries (P3)"),
            field("resent_messages", &M::resent_messages,
                  "refused by a receiver that held other tables, and sent again with one inline; all ranks, steps and "
                  "iterations"),
            field("resent_bytes", &M::resent_bytes,
                  "encoded bytes of those when sent again, which payload_bytes counts "
                  "in place of the refused ones; wire_bytes counts both"),
            field("table_memory_bytes", &M::table_memory_bytes,
                  "what the tables and counters of a rank's largest bucket need of engine.table_sram"),
            field("mask_memory_bytes", &M::mask_memory_bytes,
                  "what the classes of the largest bucket's values need of engine.mask_sram"),
            field("bits_per_value", &M::bits_per_value, "payload bits / values"),
            field("entropy_bits_per_value", &M::entropy_bits_per_value,
                  "zero-order entropy of the values of each timestep, given their classes if they are split; null for "
                  "fp32"),
            field("imbalance", &M::imbalance, "sum of largest messages / sum of mean messages over timesteps"),
            field("chunk_prediction_error", &M::chunk_prediction_error,
                  "mean |predicted - coded| size of a chunk's final sum / mean size; null where nothing was predicted"),
            field("link_utilisation", &M::link_utilisation, "share of the time that used links are busy"),
            field("idle_wait_share", &M::idle_wait_share,
                  "share of the time between a link's first and last use in which its sender waits for other ranks"),
            field("engine_utilisation", &M::engine_utilisation,
                  "share of the time that encoder and decoder are occupied"),
            field("codec_ps", &M::codec_ps, "of allreduce_ps, mean over ranks: codec busy, wire idle"),
            field("wire_ps", &M::wire_ps, "of allreduce_ps, mean over ranks: sending"),
            field("wait_ps", &M::wait_ps, "of allreduce_ps, mean over ranks: neither"),
            field("critical_path", &M::critical_path,
                  "allreduce_ps by what took time on the chain of events that decided the end; its parts add up"),
            field("bottleneck", &M::bottleneck, "its largest part: link, engine, dma, latency or wait"),
            field(
                "relative_l2_error", &M::relative_l2_error,
                "of the dequantised sum against the fp32 sum; mean over iterations; null where nothing is summed, and "
                "with payload synthetic"),
            field("cosine", &M::cosine, "between those; mean over iterations; null likewise"),
            field("saturated_values", &M::saturated_values, "codes clipped, all ranks and iterations"),
            field("sums_match_reference", &M::sums_match_reference,
                  "what the collective promises each rank, every byte sent and every table equal the untimed "
                  "reference's, in every iteration; with payload size_only, the number of bytes; null with payload "
                  "synthetic"),
        };
    }
};

struct TraceReport {
    std::string name;
    std::optional<std::string> hash;
    std::uint32_t ranks = 0, resampled_ranks = 0, repeated_ranks = 0;
    std::vector<std::uint32_t> iterations;
    std::uint64_t elements = 0;
    static constexpr auto fields() {
        using T = TraceReport;
        return std::tuple{field("name", &T::name, "of the trace; synthetic where there is none"),
                          field("hash", &T::hash, "FNV-1a of all its files; null where there are none"),
                          field("ranks", &T::ranks, "in the capture; without one, those of the experiment"),
                          field("resampled_ranks", &T::resampled_ranks,
                                "replayed beyond those: micro-batches of neighbouring captured iterations"),
                          field("repeated_ranks", &T::repeated_ranks,
                                "of those, that repeat a gradient of the same iteration; the most in any"),
                          field("iterations", &T::iterations, "positions replayed"),
                          field("elements", &T::elements, "gradient values per rank that are replayed")};
    }
};

/// The only part of a report that differs between two runs: wall_s, cpu_s, peak_rss_bytes, and the rates made of them.
struct HostReport {
    double wall_s = 0, cpu_s = 0;
    std::uint64_t peak_rss_bytes = 0, events = 0, flit_hops = 0;
    double events_per_wall_s = 0, flit_hops_per_cpu_s = 0;
    static constexpr auto fields() {
        using H = HostReport;
        return std::tuple{field("wall_s", &H::wall_s, "wall-clock time of the run"),
                          field("cpu_s", &H::cpu_s, "processor time of the run"),
                          field("peak_rss_bytes", &H::peak_rss_bytes, "largest resident memory"),
                          field("events", &H::events, "simulated events"),
                          field("events_per_wall_s", &H::events_per_wall_s, "events / wall_s"),
                          field("flit_hops", &H::flit_hops, "flits times links crossed"),
                          field("flit_hops_per_cpu_s", &H::flit_hops_per_cpu_s, "flit_hops / cpu_s")};
    }
};

struct Report {
    std::string experiment, program_version;
    nlohmann::ordered_json config;
    std::uint64_t seed = 0;
    std::vector<std::string> notes;   ///< what a reader must know before using any figure
    TraceReport trace;
    std::vector<MethodReport> methods;
    HostReport host;
};

/// Sums and means over the iterations of one method, at least one; `step` and speed-ups are left out.
MethodReport summarise(std::string name, const std::vector<IterationResult>& iterations);
/// Of each method over each, also of their steps. Precondition: all have a step or none.
void add_speedups(std::vector<MethodReport>& methods);

/// The contract's report.json, schema 1. Law: a function of (program, config, trace, seed) but for `host`.
nlohmann::ordered_json to_json(const Report& report);

/// The tables for a terminal.
std::string to_table(const Report& report);

/// A line about the first method whose sums are not the reference's, if there is one.
std::optional<std::string> find_report_problem(const Report& report);

/// Writes folder/report.json by renaming a finished file. Throws InputError if it cannot.
void write_report(const Report& report, const std::filesystem::path& folder);

}   // namespace oscar
