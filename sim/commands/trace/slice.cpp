#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/summary.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/layer_choice.hpp"
#include "sim/trace/new_trace.hpp"
#include "sim/trace/trace.hpp"

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

std::vector<std::size_t> layers_named(const TraceManifest& manifest, const std::string& patterns) {
    try {
        return choose_layers(manifest, patterns);
    } catch (const std::invalid_argument& error) {
        throw InputError(std::string("--layers ") + error.what());
    }
}

TraceManifest sliced(const TraceManifest& manifest, const Range& range, std::uint32_t ranks,
                     const std::vector<std::size_t>& layers) {
    TraceManifest slice = manifest;
    slice.ranks = ranks;
    slice.layers.clear();
    for (const std::size_t l : layers) slice.layers.push_back(manifest.layers[l]);
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
    const std::vector<std::size_t> layers = layers_named(trace.manifest(), options.layers);
    const TraceManifest slice = sliced(trace.manifest(), range, ranks, layers);
    const std::vector<Run> runs = runs_of(trace.layer_offsets(), layers);

    NewFolder folder(options.output);
    for (std::size_t i = 0; i < slice.iterations.size(); ++i)
        copy_iteration(trace, static_cast<std::size_t>(range.first) + i, slice, runs,
                       folder.path() / slice.iterations[i].file);
    write_manifest(folder, slice);
    const std::string text = summary(Trace::open(folder.path()));
    folder.commit();
    return fmt::format("{}: {}", options.output, text);
}

}   // namespace oscar
