#include "sim/commands/trace/fit_trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.hpp"
#include "sim/generator/fit.hpp"
#include "sim/trace/error.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_values = 1U << 22;

/// The position after the last iteration of a stage.
std::size_t end_of(const TraceManifest& manifest, const std::string& stage) {
    if (stage.empty()) return manifest.iterations.size();
    std::vector<std::string_view> names;
    for (std::size_t i = manifest.iterations.size(); i-- > 0;) {
        if (manifest.iterations[i].stage == stage) return i + 1;
        names.push_back(manifest.iterations[i].stage);
    }
    throw InputError(fmt::format("--stage {}: the trace has no such stage{}; its last is '{}'", stage,
                                 did_you_mean(stage, names), names.front()));
}

/// The part of a layer of `shape` that the fit uses, up to 2^22 values: its first rows, at least two, or, of a single
/// row, the first cells of each column.
Grid fitted_part(const std::vector<std::uint64_t>& shape) {
    Grid grid = grid_of(shape);
    if (grid.rows == 1) grid.cells = std::min(grid.cells, std::max<std::uint64_t>(1, most_values / grid.columns));
    else grid.rows = std::clamp<std::uint64_t>(most_values / (grid.columns * grid.cells), 2, grid.rows);
    return grid;
}

LayerSamples samples_of(const std::vector<IterationView>& views, std::uint64_t first,
                        const std::vector<std::uint64_t>& shape) {
    LayerSamples samples{views.size(), views.front().ranks(), fitted_part(shape), {}};
    for (const IterationView& view : views)
        for (std::uint32_t rank = 0; rank < view.ranks(); ++rank) {
            const auto part = view.gradient(Rank{rank}).subspan(first, samples.grid.size());
            samples.values.insert(samples.values.end(), part.begin(), part.end());
        }
    return samples;
}

}   // namespace

FittedTrace fit_trace(const Trace& trace, const std::string& stage) {
    const TraceManifest& manifest = trace.manifest();
    FittedTrace fitted;
    const std::size_t end = end_of(manifest, stage);
    fitted.first = end - 1;
    const auto same = [&](std::size_t i) { return manifest.iterations[i].stage == manifest.iterations[end - 1].stage; };
    while (fitted.first > 0 && trace.follows(fitted.first) && same(fitted.first - 1)) --fitted.first;
    fitted.count = end - fitted.first;
    fitted.stage = manifest.iterations[end - 1].stage;
    if (fitted.stage.empty())
        fitted.stage =
            fmt::format("steps {} to {}", manifest.iterations[fitted.first].step, manifest.iterations[end - 1].step);
    std::vector<IterationView> views;
    for (std::size_t i = fitted.first; i < end; ++i) views.push_back(trace.iteration(i));
    for (std::size_t l = 0; l < manifest.layers.size(); ++l)
        fitted.layers.push_back({manifest.layers[l].shape,
                                 fit_layer(samples_of(views, trace.layer_offsets()[l], manifest.layers[l].shape))});
    return fitted;
}

}   // namespace oscar
