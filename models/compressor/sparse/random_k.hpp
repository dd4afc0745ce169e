// Random-k: randomly selected elements.
#pragma once

#include <array>

#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Ranks that share a random selection.
enum class Lots : std::uint8_t { shared, per_rank };
constexpr auto choices(Lots) {
    return std::array{Choice{"shared", Lots::shared,
                             "the same elements on all ranks, from a common seed: values alone travel, by all-reduce"},
                      Choice{"per_rank", Lots::per_rank, "each rank draws its own: values and indices, by all-gather"}};
}

/// Range of elements from which the selection is drawn.
enum class SelectionRange : std::uint8_t { corrected, published };
constexpr auto choices(SelectionRange) {
    return std::array{Choice{"corrected", SelectionRange::corrected, "from all n"},
                      Choice{"published", SelectionRange::published,
                             "from the first n-1, as an exclusive bound of n-1 has it: the last is never sent"}};
}

/// k = max(1, floor(n / factor)) randomly selected elements. Law: the expectation of the kept energy is k/n of the
/// whole.
/// Source: Stich et al., NeurIPS 2018, section 2; shared as in the GRACE repository, per rank as in GraVAC's.
struct RandomKSelect {
    Lots lots = Lots::shared;
    SelectionRange range = SelectionRange::corrected;
    bool replacement = false;
    bool unbiased = false;
    static constexpr auto fields() {
        return Entries{
            field("lots", &RandomKSelect::lots, "ranks that share a random selection"),
            field("range", &RandomKSelect::range, "range of the random selection"),
            field("replacement", &RandomKSelect::replacement,
                  "drawing with replacement, as published: an element may be sent twice"),
            field("unbiased", &RandomKSelect::unbiased,
                  "values times n/k, so that the expectation is the gradient; without error feedback only"),
        };
    }
};
/// Throws std::invalid_argument for a tensor of one element where the last is left out.
Positions select(const RandomKSelect& params, const SelectionInput& input, ComputeCost& operations);
constexpr bool has_fixed_count(const RandomKSelect&) { return true; }   ///< true: k follows from n

}   // namespace oscar
