// RedSync: a threshold between the mean and the maximum of the magnitudes.
#pragma once

#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Threshold binary search: |v| > mean + t (max - mean), t halved into [0, 1] until between k and 2k elements exceed it
/// or the interval is at most 0.2 wide, that is after three counts at most; the last threshold stands. May select none
/// (equal magnitudes) and misses k widely where the maximum dominates. Source: Fang et al., JPDC 2019; the form of the
/// GraVAC repository.
struct RedSyncSelect {
    static constexpr auto fields() { return Entries{}; }
};
/// Positions above the threshold; each count is a round of `operations`.
Positions select(const RedSyncSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const RedSyncSelect&) { return false; }   ///< false: only the data tell

/// Trimmed Top-k: t = 0.8, 0.6, .. 0 until k elements exceed the threshold, then Top-k of those alone; of all where
/// fewer than k exceed the mean. The same set as Top-k.
struct TrimmedTopKSelect {
    static constexpr auto fields() { return Entries{}; }
};
/// Exactly k positions; each count is a round of `operations`.
Positions select(const TrimmedTopKSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const TrimmedTopKSelect&) { return true; }   ///< true: k follows from n

}   // namespace oscar
