#include "sim/trace/manifest.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/config/read.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_values = 1ULL << 48;

void check_format(const ConfigNode& root) {
    const ConfigNode format = root.child("format");
    if (format.form == ConfigNode::Form::null)
        format.fail("is missing; write format: 1, or format: 2 with a hash of each array");
    if (format.text != "1" && format.text != "2")
        format.fail(fmt::format("{} is not readable; this program reads 1 and 2", in_quotes(format.text)));
}

void check_files(const ConfigNode& iterations) {
    if (iterations.children.empty())
        iterations.fail("holds no iteration; write at least {file: iteration-00000.npy, step: 0}");
    for (const ConfigNode& iteration : iterations.children) {
        require_keys(iteration, {"file", "step"});
        const ConfigNode file = iteration.child("file");
        const bool plain =
            file.text.find_first_of("/\\") == std::string::npos && file.text.find("..") == std::string::npos;
        if (!plain || file.text.empty() || file.text == ".")
            file.fail(
                fmt::format("{} is no file of this folder; write it like iteration-00000.npy", in_quotes(file.text)));
    }
}

bool is_hash(std::string_view text) {
    return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void check_hashes(const TraceManifest& manifest, const ConfigNode& iterations) {
    for (std::size_t i = 0; i < manifest.iterations.size(); ++i) {
        const ConfigNode hash = iterations.children[i].child("hash");
        if (manifest.format == 1 && hash.form != ConfigNode::Form::null)
            hash.fail_at_key("belongs to format 2; write format: 2 at the top, and a hash in each iteration");
        if (manifest.format == 1 || is_hash(manifest.iterations[i].hash)) continue;
        hash.fail(fmt::format("{}; oscar-sim trace hash --write FOLDER writes the 16 hexadecimal digits of each array",
                              hash.form == ConfigNode::Form::null ? "is missing" : "is no hash"));
    }
}

void check_scales(const TraceManifest& manifest, const ConfigNode& iterations) {
    for (std::size_t i = 0; i < manifest.iterations.size(); ++i) {
        int exponent = 0;
        if (std::frexp(manifest.iterations[i].scale, &exponent) == 0.5) continue;
        iterations.children[i].child("scale").fail(
            fmt::format("{} is no power of two; write one, like 0.0009765625 for 2^-10", manifest.iterations[i].scale));
    }
}

/// Values of one layer; ConfigError at its shape if it has a size of zero or more than 2^48 values.
std::uint64_t layer_size(const TraceLayer& layer, const ConfigNode& node) {
    std::uint64_t size = 1;
    for (const std::uint64_t length : layer.shape) {
        const bool fits = length > 0 && length <= most_values / size;
        if (!fits)
            node.child("shape").fail(
                "must have sizes of at least 1 and at most 2^48 values; write it like [6, 1, 5, 5]");
        size *= length;
    }
    return size;
}

void check_layers(const TraceManifest& manifest, const ConfigNode& layers, const ConfigNode& parameters) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < manifest.layers.size(); ++i) {
        require_keys(layers.children[i], {"name", "shape"});
        sum += layer_size(manifest.layers[i], layers.children[i]);
        if (sum > most_values) layers.fail("add up to more than 2^48 values; check the shapes");
    }
    if (sum != manifest.parameters)
        layers.fail(fmt::format("add up to {} values, but {} says parameters {}; make them equal", sum,
                                parameters.location.text(), manifest.parameters));
}

}   // namespace

TraceManifest read_manifest(const ConfigNode& root) {
    check_format(root);
    require_keys(root, {"parameters", "ranks", "layers", "iterations"});
    auto manifest = read_params<TraceManifest>(root);
    check_files(root.child("iterations"));
    check_hashes(manifest, root.child("iterations"));
    check_scales(manifest, root.child("iterations"));
    check_layers(manifest, root.child("layers"), root.child("parameters"));
    if (manifest.loss_curve.step.size() != manifest.loss_curve.loss.size())
        root.child("loss_curve")
            .fail(fmt::format("has {} steps, but {} losses; give one loss for each step",
                              manifest.loss_curve.step.size(), manifest.loss_curve.loss.size()));
    return manifest;
}

std::vector<std::uint64_t> layer_offsets(const TraceManifest& manifest) {
    std::vector<std::uint64_t> offsets{0};
    for (const TraceLayer& layer : manifest.layers) {
        std::uint64_t size = 1;
        for (const std::uint64_t length : layer.shape) size *= length;
        offsets.push_back(offsets.back() + size);
    }
    return offsets;
}

}   // namespace oscar
