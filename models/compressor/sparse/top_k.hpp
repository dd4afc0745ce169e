// Top-k: the entries of largest magnitude.
#pragma once

#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The k = max(1, floor(n / factor)) largest magnitudes; of equal ones the first. Law (contraction):
/// |v - kept|^2 <= (1 - k/n) |v|^2. Source: Aji & Heafield, EMNLP 2017; the layer-wise form of the GRACE and GraVAC
/// repositories.
struct TopKSelect {
    static constexpr auto fields() { return Entries{}; }
};
/// Exactly k positions, in one round of `operations`.
inline Positions select(const TopKSelect&, const SelectionInput& input, ComputeCost& operations) {
    operations.elements += 2 * input.values.size();
    operations.comparisons += 2 * input.values.size();
    ++operations.rounds;
    return largest_positions(input.values, selection_size(input.values.size(), input.factor));
}
constexpr bool has_fixed_count(const TopKSelect&) { return true; }   ///< true: k follows from n

}   // namespace oscar
