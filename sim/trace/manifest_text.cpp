#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/config/text.hpp"
#include "sim/describe/echo.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {
namespace {

/// A double-quoted text of JSON is one of YAML. Bytes that are no UTF-8 become U+FFFD.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class T>
std::string list(const std::vector<T>& values) {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ", ") + plain_text(value);
    return "[" + text + "]";
}

std::string head(const TraceManifest& manifest) {
    std::string text = fmt::format("format: {}\n", manifest.format);
    const auto line = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) text += fmt::format("{}: {}\n", key, quoted(value));
    };
    line("name", manifest.name);
    line("model", manifest.model);
    text += fmt::format("parameters: {}\n", manifest.parameters);
    text += fmt::format("data: {{name: {}, licence: {}, source: {}}}\n", quoted(manifest.data.name),
                        quoted(manifest.data.licence), quoted(manifest.data.source));
    line("optimiser", manifest.optimiser);
    text += fmt::format("batch_per_rank: {}\nranks: {}\nseed: {}\n", manifest.batch_per_rank, manifest.ranks,
                        manifest.seed);
    line("framework", manifest.framework);
    line("values", manifest.values);
    if (manifest.dtype) text += fmt::format("dtype: {}\n", to_text(*manifest.dtype));
    return text;
}

std::string entry(const TraceLayer& layer) {
    const std::string ready = layer.ready == Time{} ? "" : fmt::format(", ready: {}", to_text(layer.ready));
    return fmt::format("  - {{name: {}, shape: {}{}}}\n", quoted(layer.name), list(layer.shape), ready);
}

std::string entry(const TraceIteration& iteration) {
    std::string text = fmt::format("  - {{file: {}, step: {}", quoted(iteration.file), iteration.step);
    if (!iteration.stage.empty()) text += fmt::format(", stage: {}", quoted(iteration.stage));
    if (iteration.loss != 0) text += fmt::format(", loss: {}", plain_text(iteration.loss));
    if (iteration.scale != 1) text += fmt::format(", scale: {}", plain_text(iteration.scale));
    if (!iteration.hash.empty()) text += fmt::format(", hash: {}", quoted(iteration.hash));
    return text + "}\n";
}

}   // namespace

// By hand: the bytes are part of a trace's identity, and YAML::Emitter lays them out as its version does.
std::string manifest_text(const TraceManifest& manifest) {
    std::string text = head(manifest) + "layers:\n";
    for (const TraceLayer& layer : manifest.layers) text += entry(layer);
    text += "iterations:\n";
    for (const TraceIteration& iteration : manifest.iterations) text += entry(iteration);
    const TraceValidation& validation = manifest.validation;
    if (!validation.metric.empty())
        text += fmt::format("validation: {{metric: {}, early: {}, late: {}, chance: {}}}\n", quoted(validation.metric),
                            plain_text(validation.early), plain_text(validation.late), plain_text(validation.chance));
    if (!manifest.loss_curve.step.empty())
        text += fmt::format("loss_curve: {{step: {}, loss: {}}}\n", list(manifest.loss_curve.step),
                            list(manifest.loss_curve.loss));
    if (manifest.generator) text += fmt::format("generator: {}\n", to_json(*manifest.generator).dump());
    return text;
}

}   // namespace oscar
