// Selected layers of a trace, and the positions of their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/partition/chunks.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The layers that a list of patterns like "conv*,fc1.*" names, as ascending positions; an empty list names all.
/// std::invalid_argument: a pattern that names no layer, or a list without a pattern; the text is the whole sentence.
std::vector<std::size_t> choose_layers(const TraceManifest& manifest, std::string_view patterns);

/// Values that lie side by side in the gradient of the trace (from `from`) and in the chosen part of it (from `to`).
struct Run {
    std::uint64_t from, to, count;
};

/// The values of `layers`, one layer after the other; neighbours in order are one run. `offsets`: see layer_offsets.
std::vector<Run> runs_of(std::span<const std::uint64_t> offsets, std::span<const std::size_t> layers);

/// The places of `layers` in a gradient that holds one after the other. `offsets`: see layer_offsets.
std::vector<Segment> tensors_of(std::span<const std::uint64_t> offsets, std::span<const std::size_t> layers);

}   // namespace oscar
