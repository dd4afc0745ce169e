// Interface of selections: a rank reads a tensor and names the elements that it sends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// Positions of elements of a tensor, ascending. They repeat only where a kind draws with replacement.
using Positions = std::vector<std::uint32_t>;

/// Input of a selection.
struct SelectionInput {
    std::span<const float> values;   ///< at least one, finite
    double factor = 1;               ///< elements for each that shall be sent, above 1
    std::uint64_t key = 0;           ///< of the random numbers of this step, tensor and rank
};

/// The number of elements that a factor asks for: max(1, floor(elements / factor)).
std::uint64_t selection_size(std::uint64_t elements, double factor);

/// Random number `index` of the stream `key`, uniform over 0 .. bound-1; 1 <= bound <= 2^32.
std::uint32_t drawn_below(std::uint64_t bound, std::uint64_t key, std::uint64_t index);

/// Throws std::invalid_argument unless factor is a number of at least 1 and finite.
void check_factor(double factor);

/// The greatest of the ranks' counts, count by count.
ComputeCost busiest(std::span<const ComputeCost> of_ranks);

}   // namespace oscar
