#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/fit_trace.hpp"
#include "sim/commands/trace/summary.hpp"
#include "sim/commands/trace/value_writer.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/generator/sampler.hpp"
#include "sim/trace/error.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t block_values = 1U << 16;
constexpr std::uint64_t most_elements = 1ULL << 40;

/// A small network of all kinds of tensors, for traces that are like no other.
TraceManifest default_manifest() {
    TraceManifest manifest;
    manifest.layers = {{"conv.weight", {32, 16, 3, 3}, {}},
                       {"hidden.weight", {256, 320}, {}},
                       {"hidden.bias", {256}, {}},
                       {"output.weight", {48, 256}, {}},
                       {"output.bias", {48}, {}}};
    manifest.ranks = 8;
    return manifest;
}

/// The shape with about `factor` times its values: rows and columns grow, a kernel keeps its size.
std::vector<std::uint64_t> scaled(std::vector<std::uint64_t> shape, double factor) {
    const auto grown = [](std::uint64_t size, double by) {
        return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(static_cast<double>(size) * by)));
    };
    if (shape.empty()) return shape;
    if (shape.size() == 1) return {grown(shape[0], factor)};
    const std::uint64_t rows = shape[1] == 1 ? grown(shape[0], factor) : grown(shape[0], std::sqrt(factor));
    const double rest = factor * static_cast<double>(shape[0]) / static_cast<double>(rows);
    if (shape[1] != 1) shape[1] = grown(shape[1], rest);
    shape[0] = rows;
    return shape;
}

void scale_layers(TraceManifest& manifest, const GenerateOptions& options) {
    if (!options.elements) return;
    if (*options.elements == 0 || *options.elements > most_elements)
        throw InputError(fmt::format("--elements {}: choose 1 to 2^40 values per rank", *options.elements));
    const double factor = static_cast<double>(*options.elements) / static_cast<double>(layer_offsets(manifest).back());
    for (TraceLayer& layer : manifest.layers) layer.shape = scaled(layer.shape, factor);
}

/// "[PATTERN:]KEY=VALUE" for the layers that the pattern names.
void apply(const std::string& assignment, const TraceManifest& manifest, std::vector<LayerParams>& layers) {
    const std::size_t equals = std::min(assignment.find('='), assignment.size());
    const std::size_t colon = assignment.substr(0, equals).rfind(':');
    const std::string pattern = colon == std::string::npos ? "*" : assignment.substr(0, colon);
    ConfigNode node;
    apply_override(node, colon == std::string::npos ? assignment : assignment.substr(colon + 1));
    bool any = false;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        if (::fnmatch(pattern.c_str(), manifest.layers[l].name.c_str(), 0) != 0) continue;
        any = true;
        read(node, layers[l]);
        if (const std::string why = find_generator_problem(layers[l]); !why.empty())
            throw InputError(fmt::format("--set {}: {}", assignment, why));
    }
    if (!any)
        throw InputError(
            fmt::format("--set {}: no layer is called {}; write it like 'fc*:churn=0.1'", assignment, pattern));
}

/// A manifest without its iterations, with the parameters of all layers.
TraceManifest plan(const GenerateOptions& options, std::uint32_t& iterations) {
    TraceManifest manifest = default_manifest();
    TraceGenerator generator;
    generator.seed = options.seed;
    generator.layers.resize(manifest.layers.size());
    iterations = 4;
    if (!options.like.empty()) {
        const Trace trace = Trace::open(options.like);
        const FittedTrace fitted = fit_trace(trace, options.stage);
        manifest.layers = trace.manifest().layers;
        manifest.ranks = trace.ranks();
        generator.like = fmt::format("{} (hash {})", trace.manifest().name, trace.hash());
        generator.stage = fitted.stage;
        generator.layers.clear();
        for (const LayerModel& layer : fitted.layers) generator.layers.push_back(layer.params);
        iterations = static_cast<std::uint32_t>(fitted.count);
    } else if (!options.stage.empty()) {
        throw InputError(fmt::format("--stage {}: is of a captured trace; name one with --like", options.stage));
    }
    for (const std::string& assignment : options.overrides) apply(assignment, manifest, generator.layers);
    scale_layers(manifest, options);
    manifest.generator = std::move(generator);
    return manifest;
}

void describe(TraceManifest& manifest, const GenerateOptions& options) {
    const std::filesystem::path folder(options.output);
    manifest.name = (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
    manifest.model = "generated from a statistical model, not captured";
    manifest.data.licence = "none needed: random numbers";
    manifest.data.source = "oscar-sim trace generate";
    manifest.values = "drawn at random; the key generator holds all parameters";
    manifest.seed = options.seed;
    manifest.parameters = layer_offsets(manifest).back();
}

/// Calls f(rank, first element of the gradient, values) for one iteration, block by block.
template <class F>
void draw(const TraceManifest& manifest, std::uint64_t iteration, F&& f) {
    const std::vector<std::uint64_t> offsets = layer_offsets(manifest);
    std::vector<float> values;
    for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
        const LayerModel model{manifest.layers[l].shape, manifest.generator->layers[l]};
        LayerSampler sampler(model, manifest.generator->seed, l);
        const std::uint64_t size = offsets[l + 1] - offsets[l];
        for (std::uint64_t first = 0; first < size; first += block_values) {
            values.resize(static_cast<std::size_t>(std::min(block_values, size - first)));
            sampler.share(iteration, first, values.size());
            for (std::uint32_t rank = 0; rank < manifest.ranks; ++rank) {
                sampler.fill(rank, values);
                f(rank, offsets[l] + first, std::span<const float>(values));
            }
        }
    }
}

/// Tells which share of the values has been drawn.
class Drawn {
public:
    /// `values`: to be drawn in each iteration.
    Drawn(const Progress& progress, std::uint32_t iterations, double values)
        : progress_(progress), iterations_(iterations), all_(iterations * values) {}
    void add(std::uint64_t iteration, std::size_t values) {
        count_ += static_cast<double>(values);
        progress_(fmt::format("iteration {} of {}", iteration + 1, iterations_), count_ / all_);
    }

private:
    const Progress& progress_;
    std::uint32_t iterations_;
    double all_, count_ = 0;
};

double scale_of(const TraceManifest& manifest, std::uint64_t iteration, Drawn& drawn) {
    float peak = 0;
    draw(manifest, iteration, [&](std::uint32_t, std::uint64_t, std::span<const float> values) {
        for (const float value : values) peak = std::max(peak, std::fabs(value));
        drawn.add(iteration, values.size());
    });
    return fp16_scale(peak);
}

/// Draws iteration `i`, adds it to the manifest and writes it to the folder.
void write_iteration(const NewFolder& folder, TraceManifest& manifest, std::uint32_t i, ValueType dtype, Drawn& drawn) {
    const bool half = dtype == ValueType::f2;
    manifest.iterations.push_back({iteration_file(i), i, "generated", 0, half ? scale_of(manifest, i, drawn) : 1, ""});
    NewArray array(folder.path() / iteration_file(i), half ? "<f2" : "<f4", dtype, manifest.ranks, manifest.parameters);
    ValueWriter writer(array, dtype, manifest.iterations.back().scale);
    draw(manifest, i, [&](std::uint32_t rank, std::uint64_t first, std::span<const float> values) {
        writer.put(rank, first, values);
        drawn.add(i, values.size());
    });
}

}   // namespace

std::string generate_trace(const GenerateOptions& options, const Progress& progress) {
    if (options.dtype == ValueType::bf16) throw InputError("--dtype bf16: cannot be written; choose f4 or f2");
    std::uint32_t iterations = 0;
    TraceManifest manifest = plan(options, iterations);
    manifest.ranks = options.ranks.value_or(manifest.ranks);
    describe(manifest, options);
    iterations = options.iterations.value_or(iterations);
    const double passes = options.dtype == ValueType::f2 ? 2 : 1;   // the first for the scale
    Drawn drawn(progress, iterations, passes * manifest.ranks * static_cast<double>(manifest.parameters));
    NewFolder folder(options.output);
    for (std::uint32_t i = 0; i < iterations; ++i) write_iteration(folder, manifest, i, options.dtype, drawn);
    write_manifest(folder, manifest);
    const std::string text = summary(Trace::open(folder.path()));
    folder.commit();
    return fmt::format("{}: generated: {}", options.output, text);
}

}   // namespace oscar
