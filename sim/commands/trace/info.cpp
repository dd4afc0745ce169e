#include <fmt/format.h>

#include <algorithm>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/statistics.hpp"
#include "sim/describe/wrap.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {
namespace {

constexpr std::string_view legend_of_values =
    "norm: Euclidean, mean over the ranks. zeros: values that are exactly 0. kurtosis: 3 for normal values.";
constexpr std::string_view legend_of_codes =
    "int8: codes round(value * 127 / peak), where peak is the layer's largest magnitude over all ranks (max scale per "
    "layer); their entropy in bits per value, the share of zero codes, and how far these lie where those of the "
    "iteration before lay: |both| / |either| (Jaccard), beside what zeros as many at independent positions would give.";

std::string header_text(const Trace& trace, std::size_t position, std::size_t width) {
    const TraceManifest& manifest = trace.manifest();
    std::string text;
    const auto line = [&](std::string_view what, const std::string& value) {
        if (!value.empty()) text += paragraph(fmt::format("{:<11} {}", what, printable(value)), width, 12);
    };
    line("trace", manifest.name);
    line("model", manifest.model);
    if (manifest.generator)
        line("generated",
             fmt::format("not captured: seed {}{}; parameters in trace.yaml", manifest.generator->seed,
                         manifest.generator->like.empty()
                             ? ""
                             : fmt::format(", fitted to {}, {}", manifest.generator->like, manifest.generator->stage)));
    line("data", manifest.data.name.empty()
                     ? fmt::format("licence: {}", manifest.data.licence)
                     : fmt::format("{} (licence: {})", manifest.data.name, manifest.data.licence));
    line("optimiser", manifest.optimiser);
    line("framework", manifest.framework);
    line("values", manifest.values);
    line("gradient",
         fmt::format("{} values in {} layers, {} ranks", trace.elements(), manifest.layers.size(), trace.ranks()));
    const TraceIteration& first = manifest.iterations.front();
    const TraceIteration& last = manifest.iterations.back();
    line("iterations", fmt::format("{}, steps {} to {}", trace.iterations(), first.step, last.step));
    const TraceIteration& shown = manifest.iterations[position];
    line("shown",
         fmt::format("iteration {}: step {}{}{}{}", position, shown.step, shown.stage.empty() ? "" : ", " + shown.stage,
                     shown.loss == 0 ? "" : fmt::format(", loss {}", shown.loss),
                     trace.follows(position) ? "" : ", not preceded by the step before"));
    return text;
}

Row layer_row(const TraceLayer& layer, const LayerStatistics& figures) {
    const auto& repetition = figures.repetition;
    return {layer.name,
            shape_text(layer.shape),
            fmt::format("{:.4g}", figures.norm),
            fmt::format("{:.2f}", 100 * figures.zeros),
            fmt::format("{:.2f}", figures.kurtosis),
            fmt::format("{:.3f}", figures.entropy_bits),
            fmt::format("{:.2f}", 100 * figures.zero_codes),
            repetition ? fmt::format("{:.3f}", repetition->jaccard) : "-",
            repetition ? fmt::format("{:.3f}", repetition->independent) : "-"};
}

/// The first column and those from `begin` to `end - 1`.
std::vector<Row> columns_of(const std::vector<Row>& rows, std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<Row> part;
    for (const Row& row : rows) {
        Row& made = part.emplace_back(Row{row.front()});
        made.insert(made.end(), row.begin() + begin, row.begin() + end);
    }
    return part;
}

std::string layer_table(const Trace& trace, const IterationStatistics& statistics, const Screen& screen) {
    const std::vector<TraceLayer>& layers = trace.manifest().layers;
    std::vector<Row> rows{
        {"layer", "shape", "norm", "zeros %", "kurtosis", "int8 bit", "int8 0 %", "Jaccard", "independent"}};
    for (std::size_t l = 0; l < layers.size(); ++l) rows.push_back(layer_row(layers[l], statistics.layers[l]));
    const std::string norm = fmt::format("norm of the whole gradient: {:.4g}\n", statistics.norm);
    if (fits(rows, screen)) return "\n" + aligned(rows, screen, 2) + norm;
    return "\n" + aligned(columns_of(rows, 1, 5), screen, 2) + norm + "\n" + aligned(columns_of(rows, 5, 9), screen);
}

constexpr std::size_t before_bars = 20;

std::string bar(std::uint64_t count, std::uint64_t largest, std::size_t longest) {
    return std::string(static_cast<std::size_t>((count * longest + largest - 1) / largest), '#');
}

std::string histogram(const MagnitudeHistogram& magnitudes, std::size_t width) {
    constexpr int rows = 24;
    std::uint64_t total = magnitudes.zeros, largest = magnitudes.zeros, below = 0;
    const int top = magnitudes.counts.empty() ? 0 : magnitudes.counts.rbegin()->first, bottom = top - rows + 1;
    for (const auto& [exponent, count] : magnitudes.counts) {
        total += count;
        if (exponent < bottom) below += count;
        else largest = std::max(largest, count);
    }
    largest = std::max({largest, below, std::uint64_t{1}});
    std::string text = "\n" + paragraph(
                                  "magnitudes of the whole gradient, all ranks: share of values with "
                                  "2^k <= |value| < 2^(k+1)",
                                  width);
    const std::size_t longest = std::clamp<std::size_t>(width, before_bars + 10, before_bars + 50) - before_bars;
    const auto line = [&](const std::string& label, std::uint64_t count) {
        text +=
            fmt::format("{:>8} {:7.3f} % {}\n", label, 100 * static_cast<double>(count) / static_cast<double>(total),
                        bar(count, largest, longest));
    };
    const int lowest = magnitudes.counts.empty() ? 1 : std::max(bottom, magnitudes.counts.begin()->first);
    for (int exponent = top; exponent >= lowest; --exponent) {
        const auto found = magnitudes.counts.find(exponent);
        line(fmt::format("2^{}", exponent), found == magnitudes.counts.end() ? 0 : found->second);
    }
    if (below > 0) line("less", below);
    line("0", magnitudes.zeros);
    return text;
}

/// The last iteration that can be compared with the one before, else the first.
std::size_t telling_position(const Trace& trace) {
    for (std::size_t i = trace.iterations(); i-- > 0;)
        if (trace.follows(i)) return i;
    return 0;
}

}   // namespace

std::string trace_info(const std::filesystem::path& folder, std::optional<std::uint64_t> iteration,
                       const Screen& screen) {
    const Trace trace = Trace::open(folder);
    if (iteration && *iteration >= trace.iterations())
        throw InputError(fmt::format("--iteration {}: {} has {} iterations; choose 0 to {}", *iteration,
                                     folder.string(), trace.iterations(), trace.iterations() - 1));
    const std::size_t position = iteration ? static_cast<std::size_t>(*iteration) : telling_position(trace);
    const IterationStatistics statistics = iteration_statistics(trace, position);
    return header_text(trace, position, screen.width) + layer_table(trace, statistics, screen) + "\n" +
           paragraph(legend_of_values, screen.width) + paragraph(legend_of_codes, screen.width) +
           histogram(statistics.magnitudes, screen.width);
}

}   // namespace oscar
