// All parameters of an experiment file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/size_only_codec.hpp"
#include "models/codec/message/split.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/compressor/compressors.hpp"
#include "models/engine/engine_params.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/machine/base/waveform.hpp"
#include "models/network/params/network_params.hpp"
#include "models/nic/nic_params.hpp"
#include "models/partition/chunks.hpp"
#include "models/partition/classes.hpp"
#include "models/predict/nccl_tuner.hpp"
#include "models/quantise/quantiser.hpp"
#include "models/workload/training_step.hpp"
#include "sim/config/node.hpp"
#include "sim/parameters/folding.hpp"
#include "sim/parameters/job_params.hpp"
#include "sim/parameters/node_changes.hpp"
#include "sim/replay/replay.hpp"
#include "sim/report/timeline/timeline_window.hpp"

namespace oscar {

/// A lossy compressor as a method: what it leaves of the gradients travels by collectives of its own.
struct LossyChain {
    LossyKind compressor;
    std::optional<bool> feedback = {};   ///< what a rank did not send is added to its next gradient; null: if possible
    bool coded = false;                  ///< the method's codec codes the integers of the compressor's messages
};

/// A method to compare, under a name of its own: a codec, or a lossy compressor and what codes its integers. In YAML a
/// kind's name, or a map of `kind`, its parameters, `name`, and of a codec `chunks`, `split` and `classes` of its own,
/// of a compressor `codec` and `feedback`.
struct Method {
    std::string name;
    CodecChoice codec;
    std::optional<ChunkKind> chunks = {};   ///< its own instead of the experiment's, like the next ones
    std::optional<SplitChoice> split = {};
    std::optional<ClassifierKind> classes = {};
    std::optional<bool> delta_gather = {};
    std::optional<LossyChain> lossy = {};
};

/// The name of the codec's kind, or of the lossy compressor's.
std::string_view kind_name(const Method& method);

/// The kinds of methods: codecs and lossy compressors.
inline constexpr auto method_kinds = concatenate(codecs, lossy_kinds);

/// The method's name is by default its kind's. ConfigError: see read_kind; an empty name; feedback for a compressor
/// that takes none.
void read(const ConfigNode& node, Method& method);
/// The kind with its parameters and the name; further keys where the method has its own.
nlohmann::ordered_json to_json(const Method& method);

/// Positions in the capture that are replayed, from 0. Those before `first` that follow each other without a gap warm
/// up tables, scale and boundaries, without network.
struct IterationRange {
    std::uint32_t first = 1, count = 2;
    static constexpr auto fields() {
        return Entries{
            field("first", &IterationRange::first, "position in the capture, from 0; earlier ones warm up", 0u,
                  1'000'000u),
            field("count", &IterationRange::count, "iterations replayed", 1u, 1'000'000u),
        };
    }
};

struct Parameters {
    std::string experiment;   ///< default: the name of the file
    std::string trace;
    std::optional<Bytes> size;   ///< instead of a trace, with payload synthetic
    IterationRange iterations;
    std::string layers;
    std::optional<BucketChoice> bucket;
    std::optional<StepParams> step;
    std::uint32_t ranks = 8;
    Quantiser quantiser;
    Collective collective;
    ChunkKind chunks;
    SplitChoice split;
    ClassifierKind classes;
    bool delta_gather = false;
    std::vector<Method> methods = {{"fp32", Fp32Params{}},
                                   {"fixed_point", FixedPointParams{}},
                                   {"atalanta", AtalantaParams{}},
                                   {"asc", AscParams{}}};
    EngineParams engine;
    GpuParams gpu;
    NicParams nic;
    std::vector<NodeChange> nodes;
    std::vector<JobParams> jobs;
    NetworkParams network;
    std::optional<NcclParams> tuner;
    TimingFidelity fidelity = TimingFidelity::packet;
    std::optional<WaveformParams> waveform;
    bool timeline = false;
    std::optional<TimelineWindow> timeline_window;
    Payload payload = Payload::encoded;
    Folding folding = Folding::automatic;
    Time start_jitter;
    std::uint32_t scale = 1;
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{
            field("experiment", &Parameters::experiment, "name of the results folder; default: that of the file"),
            field("trace", &Parameters::trace, "folder with captured gradients; none with payload synthetic"),
            field("size", &Parameters::size,
                  "size of a rank's fp32 gradient (payload: synthetic); scale makes it larger still", 4_B, 4_GiB),
            field("iterations", &Parameters::iterations, "iterations of the trace that are replayed"),
            field("layers", &Parameters::layers,
                  "patterns of the layers that are replayed, like conv*,fc1.*; none: all"),
            field("bucket", &Parameters::bucket, "the bucket of those layers that is replayed; none: all in one"),
            field("step", &Parameters::step, "the training step around the AllReduces; none: one AllReduce alone"),
            field("ranks", &Parameters::ranks,
                  "participants; more than the trace has are resampled from neighbouring iterations", 2u, 65536u),
            field("quantiser", &Parameters::quantiser, "fixed-point codes of all methods but fp32"),
            field("collective", &Parameters::collective, "schedule of messages between ranks"),
            field("chunks", &Parameters::chunks,
                  "partition of the bucket into chunks, for methods with tables; the others: equal"),
            field("split", &Parameters::split,
                  "coding of classes of elements (context modelling), for methods that support it"),
            field("classes", &Parameters::classes, "class of an element, where there is a split"),
            field("delta_gather", &Parameters::delta_gather,
                  "send only the difference from the partial sum that both ranks already hold"),
            field("methods", &Parameters::methods,
                  "codecs and lossy compressors to compare on the same trace and network"),
            field("engine", &Parameters::engine, "compression engine of each NIC"),
            field("gpu", &Parameters::gpu, "GPU memory and DMA of each rank"),
            field("nic", &Parameters::nic, "NIC of each rank, without the engine"),
            field("nodes", &Parameters::nodes, "ranks that differ in any of these: stragglers, slower engines"),
            field("jobs", &Parameters::jobs,
                  "collectives that share the network (payload: synthetic); none: one on all ranks"),
            field("network", &Parameters::network, "links, switches, packets"),
            field(
                "tuner", &Parameters::tuner,
                "links, launch and collective as NCCL's tuner chooses them (payload: synthetic); none: as configured"),
            field("fidelity", &Parameters::fidelity, "grain of the network simulation"),
            field("waveform", &Parameters::waveform,
                  "signals of each method's first collective, written as waveform-METHOD.vcd (fidelity: flit); none: "
                  "none"),
            field("timeline", &Parameters::timeline,
                  "each method's first collective as timeline-METHOD.json, which Perfetto shows, at every fidelity"),
            field("timeline_window", &Parameters::timeline_window, "the time that it shows; none: all"),
            field("payload", &Parameters::payload, "content of messages: encoded bytes, sizes alone, or neither"),
            field(
                "folding", &Parameters::folding,
                "simulation of a few ranks that stand for all, where nothing distinguishes them (payload: synthetic)"),
            field("start_jitter", &Parameters::start_jitter,
                  "span of the ranks' random start times, drawn from the seed", 0_ps, 1000_ms),
            field(
                "scale", &Parameters::scale,
                "the gradient stands for one this many times as large: links, buffers, packets, DMA, GPU memory, lanes "
                "and adders are divided by it, latencies are not",
                1u, 64u),
            field("seed", &Parameters::seed,
                  "seed of start_jitter, stochastic rounding and the draws of a trace's iterations; routing, loss and "
                  "background have their own"),
        };
    }
};

/// True for background traffic with a load above 0.
bool has_background(const Parameters& parameters);

/// The bytes of all buckets that a step gives.
Bytes size_of(const StepParams& step);

/// Values of a rank's gradient of `size` bytes in fp32.
std::uint64_t values_of(Bytes size);

/// A configuration that has been read; `source` locates errors found later.
struct Experiment {
    Parameters parameters;
    ConfigNode source;
    std::filesystem::path file;
};

/// Reads the configuration `source` of `file`: relative paths are found from there, and its name is the default name.
/// ConfigError: an unknown key, an unreadable value, a value out of its range.
Experiment read_experiment(ConfigNode source, const std::filesystem::path& file);

/// Fills in the parameters that follow from others: the size of listed flows, the machine of the tuner, nodes and jobs.
/// What the timelines of a run show; none where it makes none.
inline std::optional<TimelineWindow> shown_window(const Parameters& p) {
    if (!p.timeline) return std::nullopt;
    return p.timeline_window.value_or(TimelineWindow{});
}

/// ConfigError: as read_experiment, in `nodes`. Precondition: run_checks(checks_as_written) (sim/checks/checks.hpp).
void resolve(Experiment& experiment);

}   // namespace oscar
