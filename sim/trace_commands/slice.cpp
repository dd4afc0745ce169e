#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>

#include "sim/config/suggest.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/new_trace.hpp"
#include "sim/trace/trace.hpp"
#include "sim/trace_commands/commands.hpp"
#include "sim/trace_commands/summary.hpp"

namespace oscar {
namespace {

/// Positions from `first` to `end` - 1.
struct Range {
    std::uint64_t first, end;
};

/// "a:b" within `count` positions; either may be left out.
Range parse_range(const std::string& text, std::uint64_t count) {
    Range range{0, count};
    if (text.empty()) return range;
    const auto number = [&](std::string_view part, std::uint64_t& value) {
        if (part.empty()) return true;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc{} && stop == part.data() + part.size();
    };
    const std::size_t colon = text.find(':');
    const std::string_view view = text;
    const bool good = colon != std::string::npos && number(view.substr(0, colon), range.first) &&
                      number(view.substr(colon + 1), range.end) && range.first < range.end && range.end <= count;
    if (!good)
        throw InputError(
            fmt::format("--iterations {}: is no range of the trace's {} iterations; write it like 0:{} for "
                        "all, the end not included",
                        text, count, count));
    return range;
}

std::vector<std::string> patterns_of(const std::string& list) {
    std::vector<std::string> patterns;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        if (end > start) patterns.push_back(list.substr(start, end - start));
        start = end + 1;
    }
    return patterns;
}

/// Which layers a list of patterns names; each pattern must name some.
std::vector<bool> chosen_layers(const TraceManifest& manifest, const std::string& list) {
    if (list.empty()) return std::vector<bool>(manifest.layers.size(), true);
    std::vector<bool> chosen(manifest.layers.size(), false);
    std::vector<std::string_view> names;
    for (const TraceLayer& layer : manifest.layers) names.push_back(layer.name);
    for (const std::string& pattern : patterns_of(list)) {
        bool any = false;
        for (std::size_t l = 0; l < manifest.layers.size(); ++l)
            if (::fnmatch(pattern.c_str(), manifest.layers[l].name.c_str(), 0) == 0) any = chosen[l] = true;
        if (!any)
            throw InputError(
                fmt::format("--layers {}: no layer is called so{}; `oscar-sim trace info` lists them, and * "
                            "stands for any characters",
                            pattern, did_you_mean(pattern, names)));
    }
    if (std::find(chosen.begin(), chosen.end(), true) == chosen.end())
        throw InputError(fmt::format("--layers {}: names no layer; write it like conv*,fc1.*", list));
    return chosen;
}

/// Values of a gradient that are copied together: neighbouring layers.
struct Run {
    std::uint64_t from, to, count;   ///< `from` in the old gradient, `to` in the new one
};

std::vector<Run> runs_of(const std::vector<std::uint64_t>& offsets, const std::vector<bool>& chosen) {
    std::vector<Run> runs;
    std::uint64_t to = 0;
    for (std::size_t l = 0; l < chosen.size(); ++l) {
        if (!chosen[l]) continue;
        const std::uint64_t count = offsets[l + 1] - offsets[l];
        const bool joins = !runs.empty() && runs.back().from + runs.back().count == offsets[l];
        if (joins) runs.back().count += count;
        else runs.push_back({offsets[l], to, count});
        to += count;
    }
    return runs;
}

TraceManifest sliced(const TraceManifest& manifest, const Range& range, std::uint32_t ranks,
                     const std::vector<bool>& chosen) {
    TraceManifest slice = manifest;
    slice.ranks = ranks;
    slice.layers.clear();
    for (std::size_t l = 0; l < chosen.size(); ++l)
        if (chosen[l]) slice.layers.push_back(manifest.layers[l]);
    slice.parameters = layer_offsets(slice).back();
    const auto start = manifest.iterations.begin();
    slice.iterations.assign(start + static_cast<std::ptrdiff_t>(range.first),
                            start + static_cast<std::ptrdiff_t>(range.end));
    for (std::size_t i = 0; i < slice.iterations.size(); ++i) slice.iterations[i].file = iteration_file(i);
    return slice;
}

/// numpy's text for an array of the trace; see NewArray.
std::string_view dtype_text(ValueType type, const TraceManifest& manifest) {
    if (type == ValueType::bf16) return manifest.dtype == ValueType::bf16 ? "<u2" : "<V2";
    return type == ValueType::f2 ? "<f2" : "<f4";
}

void copy_iteration(const Trace& trace, std::size_t position, const TraceManifest& slice, const std::vector<Run>& runs,
                    const std::filesystem::path& file) {
    const NpyArray from = trace.array(position);
    NewArray to(file, dtype_text(from.type(), slice), from.type(), slice.ranks, slice.parameters);
    for (std::uint32_t rank = 0; rank < slice.ranks; ++rank)
        for (const Run& run : runs) {
            std::uint64_t done = 0;
            from.file().walk(from.bytes(rank, run.from, run.count), [&](std::span<const std::byte> block) {
                trace.check_finite(from, block, position);
                to.put(rank, run.to + done, block);
                done += block.size() / bytes_of(from.type());
                return true;
            });
        }
}

}   // namespace

std::string slice_trace(const SliceOptions& options) {
    const Trace trace = Trace::open(options.input);
    const Range range = parse_range(options.iterations, trace.iterations());
    if (options.ranks > trace.ranks())
        throw InputError(fmt::format("--ranks {}: the trace has {} ranks; choose 1 to {}", options.ranks, trace.ranks(),
                                     trace.ranks()));
    const std::uint32_t ranks = options.ranks == 0 ? trace.ranks() : options.ranks;
    const std::vector<bool> chosen = chosen_layers(trace.manifest(), options.layers);
    const TraceManifest slice = sliced(trace.manifest(), range, ranks, chosen);
    const std::vector<Run> runs = runs_of(trace.layer_offsets(), chosen);

    NewFolder folder(options.output);
    for (std::size_t i = 0; i < slice.iterations.size(); ++i)
        copy_iteration(trace, static_cast<std::size_t>(range.first) + i, slice, runs,
                       folder.path() / slice.iterations[i].file);
    folder.write_text("trace.yaml", manifest_text(slice));
    const std::string text = summary(Trace::open(folder.path()));
    folder.commit();
    return fmt::format("{}: {}", options.output, text);
}

}   // namespace oscar
