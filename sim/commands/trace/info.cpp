#include <fmt/format.h>

#include <algorithm>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/statistics.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/npy.hpp"

namespace oscar::inline commands {
namespace {

constexpr std::string_view legend = R"(
norm: Euclidean, mean over the ranks. zeros: values that are exactly 0. kurtosis: 3 for normal values.
int8: codes round(value * 127 / peak), where peak is the layer's largest magnitude over all ranks (max scale per layer);
their entropy in bits per value, the share of zero codes, and how far these lie where those of the iteration before lay:
|both| / |either| (Jaccard), beside what zeros as many at independent positions would give.
)";

/// Control characters would let a trace write to the terminal as it likes.
std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

std::string header_text(const Trace& trace, std::size_t position) {
    const TraceManifest& manifest = trace.manifest();
    std::string text = fmt::format("trace       {}\n", printable(manifest.name));
    const auto line = [&](std::string_view what, const std::string& value) {
        if (!value.empty()) text += fmt::format("{:<11} {}\n", what, printable(value));
    };
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
    text += fmt::format("gradient    {} values in {} layers, {} ranks\n", trace.elements(), manifest.layers.size(),
                        trace.ranks());
    const TraceIteration& first = manifest.iterations.front();
    const TraceIteration& last = manifest.iterations.back();
    text += fmt::format("iterations  {}, steps {} to {}\n", trace.iterations(), first.step, last.step);
    const TraceIteration& shown = manifest.iterations[position];
    text += fmt::format("shown       iteration {}: step {}{}{}{}\n", position, shown.step,
                        shown.stage.empty() ? "" : ", " + printable(shown.stage),
                        shown.loss == 0 ? "" : fmt::format(", loss {}", shown.loss),
                        trace.follows(position) ? "" : ", not preceded by the step before");
    return text;
}

std::string layer_line(const TraceLayer& layer, const LayerStatistics& figures, std::size_t width) {
    const std::string repetition = figures.repetition ? fmt::format("{:8.3f} {:11.3f}", figures.repetition->jaccard,
                                                                    figures.repetition->independent)
                                                      : fmt::format("{:>8} {:>11}", "-", "-");
    return fmt::format("{:<{}} {:<18} {:>11.4g} {:>7.2f} {:>9.2f} {:>8.3f} {:>9.2f} {}\n", printable(layer.name), width,
                       shape_text(layer.shape), figures.norm, 100 * figures.zeros, figures.kurtosis,
                       figures.entropy_bits, 100 * figures.zero_codes, repetition);
}

std::string layer_table(const Trace& trace, const IterationStatistics& statistics) {
    const std::vector<TraceLayer>& layers = trace.manifest().layers;
    std::size_t width = 5;
    for (const TraceLayer& layer : layers) width = std::max(width, layer.name.size());
    std::string text =
        fmt::format("\n{:<{}} {:<18} {:>11} {:>7} {:>9} {:>8} {:>9} {:>8} {:>11}\n", "layer", width, "shape", "norm",
                    "zeros %", "kurtosis", "int8 bit", "int8 0 %", "Jaccard", "independent");
    for (std::size_t l = 0; l < layers.size(); ++l) text += layer_line(layers[l], statistics.layers[l], width);
    return text + fmt::format("norm of the whole gradient: {:.4g}\n", statistics.norm);
}

std::string bar(std::uint64_t count, std::uint64_t largest) {
    constexpr std::uint64_t longest = 50;
    return std::string(static_cast<std::size_t>((count * longest + largest - 1) / largest), '#');
}

std::string histogram(const MagnitudeHistogram& magnitudes) {
    constexpr int rows = 24;
    std::uint64_t total = magnitudes.zeros, largest = magnitudes.zeros, below = 0;
    const int top = magnitudes.counts.empty() ? 0 : magnitudes.counts.rbegin()->first, bottom = top - rows + 1;
    for (const auto& [exponent, count] : magnitudes.counts) {
        total += count;
        if (exponent < bottom) below += count;
        else largest = std::max(largest, count);
    }
    largest = std::max({largest, below, std::uint64_t{1}});
    std::string text = "\nmagnitudes of the whole gradient, all ranks: share of values with 2^k <= |value| < 2^(k+1)\n";
    const auto line = [&](const std::string& label, std::uint64_t count) {
        text += fmt::format("{:>8} {:7.3f} % {}\n", label,
                            100 * static_cast<double>(count) / static_cast<double>(total), bar(count, largest));
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

std::string trace_info(const std::filesystem::path& folder, std::optional<std::uint64_t> iteration) {
    const Trace trace = Trace::open(folder);
    if (iteration && *iteration >= trace.iterations())
        throw InputError(fmt::format("--iteration {}: {} has {} iterations; choose 0 to {}", *iteration,
                                     folder.string(), trace.iterations(), trace.iterations() - 1));
    const std::size_t position = iteration ? static_cast<std::size_t>(*iteration) : telling_position(trace);
    const IterationStatistics statistics = iteration_statistics(trace, position);
    return header_text(trace, position) + layer_table(trace, statistics) + std::string(legend) +
           histogram(statistics.magnitudes);
}

}   // namespace oscar::inline commands
