// The family of selections, of which the sparsifiers and their controllers are made: to add one, write its file pair
// with its parameters, its select() and has_fixed_count(), and one line here; its sparsifier is a line in sparse_kinds.
#pragma once

#include "models/compressor/sparse/random_k.hpp"
#include "models/compressor/sparse/redsync.hpp"
#include "models/compressor/sparse/sampled_threshold.hpp"
#include "models/compressor/sparse/sidco.hpp"
#include "models/compressor/sparse/top_k.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

inline constexpr auto selectors = Entries{
    kind<TopKSelect>("top_k", "the largest magnitudes"),
    kind<RandomKSelect>("random_k", "randomly selected elements"),
    kind<DgcSelect>("dgc", "threshold from a sample, by the author's code: never more than asked for"),
    kind<DgcLiteSelect>("dgc_lite", "threshold from a sample, by GRACE and GraVAC"),
    kind<RedSyncSelect>("redsync", "threshold by binary search between mean and maximum"),
    kind<TrimmedTopKSelect>("redsync_trimmed", "Top-k of the elements above a falling threshold"),
    kind<SidcoSelect>("sidco", "threshold from a fitted exponential"),
};
using Selector = OneOf<selectors>;

/// The positions of one tensor that a rank sends. A factor of 1 sends all. Throws std::invalid_argument for a factor
/// below 1 or not finite.
Positions select(const Selector& selector, const SelectionInput& input, ComputeCost& operations);

/// Compression of the compressed: out of what `first` chose, gathered, the elements for each of which `second` asks.
/// The factors multiply. Positions refer to the tensor. Source: Tyagi & Swany, CLOUD 2023, section III.
Positions select_again(const Selector& selector, const SelectionInput& input, const Positions& first, double second,
                       ComputeCost& operations);

/// True if all ranks name the same positions, so that values alone travel and an all-reduce can sum them.
bool positions_are_shared(const Selector& selector);
/// True if the number of positions follows from the number of elements, so that ranks need not tell it.
bool has_fixed_count(const Selector& selector);
/// The factor by which each value sent of n elements is multiplied: n/k for an unbiased random_k, else 1.
float value_scale(const Selector& selector, std::uint64_t elements, std::uint64_t sent);
/// True if elements are sent as they are, so that error feedback may stand around the selection.
bool takes_error_feedback(const Selector& selector);

/// The key of the random numbers of a step, tensor and rank; without the rank where positions are shared.
std::uint64_t random_key(const Selector& selector, std::uint64_t seed, std::uint64_t step, std::uint64_t tensor,
                         std::uint64_t rank);

}   // namespace oscar
