#include "sim/trace/layer_choice.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <numeric>
#include <stdexcept>

#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

std::vector<std::string> patterns_of(std::string_view list) {
    std::vector<std::string> patterns;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        if (end > start) patterns.emplace_back(list.substr(start, end - start));
        start = end + 1;
    }
    return patterns;
}

/// Marks the layers that one pattern names.
void choose(const TraceManifest& manifest, const std::string& pattern, std::vector<bool>& chosen) {
    bool any = false;
    for (std::size_t l = 0; l < manifest.layers.size(); ++l)
        if (::fnmatch(pattern.c_str(), manifest.layers[l].name.c_str(), 0) == 0) any = chosen[l] = true;
    if (any) return;
    std::vector<std::string_view> names;
    for (const TraceLayer& layer : manifest.layers) names.push_back(layer.name);
    throw std::invalid_argument(
        fmt::format("{}: no layer is called so{}; `oscar-sim trace info` lists them, and * stands for any characters",
                    pattern, did_you_mean(pattern, names)));
}

}   // namespace

std::vector<std::size_t> choose_layers(const TraceManifest& manifest, std::string_view patterns) {
    std::vector<bool> chosen(manifest.layers.size(), patterns.empty());
    const auto list = patterns_of(patterns);
    if (!patterns.empty() && list.empty())
        throw std::invalid_argument(fmt::format("{}: names no layer; write it like conv*,fc1.*", patterns));
    for (const std::string& pattern : list) choose(manifest, pattern, chosen);
    std::vector<std::size_t> layers;
    for (std::size_t l = 0; l < chosen.size(); ++l)
        if (chosen[l]) layers.push_back(l);
    return layers;
}

std::vector<Run> runs_of(std::span<const std::uint64_t> offsets, std::span<const std::size_t> layers) {
    std::vector<Run> runs;
    std::uint64_t to = 0;
    for (const std::size_t l : layers) {
        const std::uint64_t count = offsets[l + 1] - offsets[l];
        const bool joins = !runs.empty() && runs.back().from + runs.back().count == offsets[l];
        if (joins) runs.back().count += count;
        else runs.push_back({offsets[l], to, count});
        to += count;
    }
    return runs;
}

std::vector<Segment> tensors_of(std::span<const std::uint64_t> offsets, std::span<const std::size_t> layers) {
    std::vector<Segment> tensors;
    std::uint32_t begin = 0;
    for (const std::size_t l : layers) {
        const auto size = static_cast<std::uint32_t>(offsets[l + 1] - offsets[l]);
        tensors.push_back({begin, begin + size});
        begin += size;
    }
    return tensors;
}

}   // namespace oscar
