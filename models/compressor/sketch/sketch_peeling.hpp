// Peeling of Count Sketches of three rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/sketch/count_sketch.hpp"

namespace oscar {

/// The values of the listed elements as decoded from a sketch.
struct SketchValues {
    std::vector<std::int32_t> values;   ///< by position in the list
    std::vector<std::uint32_t> rest;    ///< positions of those that are estimates, for they share all their cells
    std::uint32_t rounds = 0;
    std::uint64_t visits = 0;   ///< elements looked at, in all rounds
};

/// Peels `elements`, which include all non-zero ones, where a cell keeps `bits` bits of its sum. Peeled values are
/// exact if they fit in `bits` bits; the others get the median of what their cells say then. Throws
/// std::invalid_argument unless the sketch has three rows.
SketchValues peel_sketch(const CountSketch<std::int32_t>& sketch, std::span<const std::uint32_t> elements,
                         std::uint32_t bits = 32);

}   // namespace oscar
