// trace.yaml: what a trace holds, where it comes from and how to read its arrays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "sim/config/node.hpp"
#include "sim/generator/model.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar {

/// The data set that the model was trained on.
struct TraceData {
    std::string name, licence, source;
    static constexpr auto fields() {
        return Entries{
            field("name", &TraceData::name, "name of the data set"),
            field("licence", &TraceData::licence, "licence of the data set"),
            field("source", &TraceData::source, "where the data set comes from"),
        };
    }
};

/// One tensor of the model; its values lie side by side in each gradient, layers in the order of the list.
struct TraceLayer {
    std::string name;
    std::vector<std::uint64_t> shape;
    Time ready;
    static constexpr auto fields() {
        return Entries{
            field("name", &TraceLayer::name, "name of the tensor"),
            field("shape", &TraceLayer::shape, "its sizes; their product is its number of values"),
            field("ready", &TraceLayer::ready, "when its gradient is complete, from the start of the backward pass"),
        };
    }
};

/// One captured iteration: an array of shape [ranks, parameters].
struct TraceIteration {
    std::string file;
    std::uint64_t step = 0;
    std::string stage;
    double loss = 0;
    double scale = 1;
    std::string hash;
    static constexpr auto fields() {
        return Entries{
            field("file", &TraceIteration::file, "the .npy array, a file of the trace's folder"),
            field("step", &TraceIteration::step, "training step of the capture"),
            field("stage", &TraceIteration::stage, "name of the part of training, like early"),
            field("loss", &TraceIteration::loss, "training loss, mean over the ranks"),
            // The smallest fp16 is 2^-24 and the largest below 2^16: within the range every product is exact in fp32.
            field("scale", &TraceIteration::scale, "of an fp16 array: value = stored * scale; a power of two", 0x1p-125,
                  0x1p112),
            field("hash", &TraceIteration::hash, "XXH3 of the array's file, 16 hexadecimal digits; of format 2"),
        };
    }
};

/// Quality of the model at the captures, as evidence that the gradients are of real training.
struct TraceValidation {
    std::string metric;
    double early = 0, late = 0, chance = 0;
    static constexpr auto fields() {
        return Entries{
            field("metric", &TraceValidation::metric, "what is measured, like test accuracy"),
            field("early", &TraceValidation::early, "its value at the first captures"),
            field("late", &TraceValidation::late, "its value at the last captures"),
            field("chance", &TraceValidation::chance, "its value for a guess"),
        };
    }
};

/// Training loss over the whole run; both lists are equally long.
struct TraceLossCurve {
    std::vector<std::uint64_t> step;
    std::vector<double> loss;
    static constexpr auto fields() {
        return Entries{
            field("step", &TraceLossCurve::step, "training steps"),
            field("loss", &TraceLossCurve::loss, "training loss at these steps"),
        };
    }
};

/// The model that a generated trace was drawn from; captured ones have none.
struct TraceGenerator {
    std::uint64_t seed = 0;
    std::string like, stage;
    std::vector<LayerParams> layers;
    static constexpr auto fields() {
        return Entries{
            field("seed", &TraceGenerator::seed, "of the random numbers"),
            field("like", &TraceGenerator::like, "name and hash of the captured trace that the model was fitted to"),
            field("stage", &TraceGenerator::stage, "the stage of it, or its steps"),
            field("layers", &TraceGenerator::layers, "parameters of the layers, in their order"),
        };
    }
};

/// The format that this program writes. Format 1 has no hashes of arrays.
inline constexpr std::uint32_t trace_format = 2;

/// Everything in trace.yaml.
struct TraceManifest {
    std::uint32_t format = trace_format;
    std::string name, model;
    std::uint64_t parameters = 0;
    TraceData data;
    std::string optimiser;
    std::uint32_t batch_per_rank = 0, ranks = 0;
    std::uint64_t seed = 0;
    std::string framework, values;
    std::optional<ValueType> dtype;
    std::vector<TraceLayer> layers;
    std::vector<TraceIteration> iterations;
    TraceValidation validation;
    TraceLossCurve loss_curve;
    std::optional<TraceGenerator> generator;
    static constexpr auto fields() {
        using M = TraceManifest;
        return Entries{
            field("format", &M::format, "version of this format", 1, trace_format),
            field("name", &M::name, "short name of the trace"),
            field("model", &M::model, "the trained model in words"),
            field("parameters", &M::parameters, "values of one gradient: elements per rank", 1, 1ULL << 48),
            field("data", &M::data, "data set"),
            field("optimiser", &M::optimiser, "optimiser and its settings in words"),
            field("batch_per_rank", &M::batch_per_rank, "samples per rank and step"),
            field("ranks", &M::ranks, "data-parallel workers", 1, 1U << 20),
            field("seed", &M::seed, "seed of the training run"),
            field("framework", &M::framework, "framework and version"),
            field("values", &M::values, "what a value is: averaged or not, before or after clipping"),
            field("dtype", &M::dtype, "type of all arrays; without it each array says its own"),
            field("layers", &M::layers, "tensors in the order of their values"),
            field("iterations", &M::iterations, "captured iterations in the order of training"),
            field("validation", &M::validation, "quality of the model at the captures"),
            field("loss_curve", &M::loss_curve, "training loss over the run"),
            field("generator", &M::generator, "of a generated trace: what it was drawn from"),
        };
    }
};

/// Reads and checks the root node of a trace.yaml.
/// ConfigError: format other than 1 and 2; `format`, `parameters`, `ranks`, `layers` or `iterations` missing; no
/// iteration; a file that lies outside the folder; an iteration of format 2 without hash, or of format 1 with one; a
/// scale that is no power of two; layers whose sizes do not add up to `parameters`; a loss curve of unequal lists.
TraceManifest read_manifest(const ConfigNode& root);

/// The start of each layer in a gradient, and the end of the last: layers + 1 ascending offsets from 0 to `parameters`.
std::vector<std::uint64_t> layer_offsets(const TraceManifest& manifest);

/// The text of a trace.yaml; empty parts are left out. Law: reading it gives the manifest again.
std::string manifest_text(const TraceManifest& manifest);

}   // namespace oscar
