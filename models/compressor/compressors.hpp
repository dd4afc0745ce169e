// The family of lossy compressors: to add one, write its file pair (source in models/compressor/CMakeLists.txt) with
// its parameters and its make_compressor(params, ranks, seed), and a line in its part's list, which is included below.
#pragma once

#include "models/compressor/adaptive/compressors_sparse.hpp"
#include "models/compressor/base/dense.hpp"
#include "models/compressor/quantised/compressors_quantised.hpp"
#include "models/compressor/sketch/compressors_sketch.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

/// One line for each part's list, in this order.
// clang-format off
inline constexpr auto lossy_kinds = concatenate(
    Entries{kind<DenseParams>("dense", "no compression: an all-reduce of the fp32 gradients")},
    sparse_kinds,
    sketch_kinds,
    quantised_kinds
);
// clang-format on
using LossyKind = OneOf<lossy_kinds>;

/// The compressor of all `ranks` ranks, as it is before its first step. Throws std::invalid_argument for parameters
/// that contradict one another, or no ranks.
std::unique_ptr<Compressor> make_compressor(const LossyKind& kind, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar
