#include "models/compressor/base/selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "models/core/random.hpp"

namespace oscar {

std::uint64_t selection_size(std::uint64_t elements, double factor) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(elements) / factor));
}

std::uint32_t drawn_below(std::uint64_t bound, std::uint64_t key, std::uint64_t index) {
    const std::uint64_t r = random_at(key, index), high = r >> 32, low = r & 0xffffffff;
    return static_cast<std::uint32_t>((high * bound + (low * bound >> 32)) >> 32);   // the upper half of r * bound
}

void check_factor(double factor) {
    if (!(factor >= 1) || std::isinf(factor))
        throw std::invalid_argument("compression factor " + std::to_string(factor) +
                                    "; it is elements for each one sent, at least 1 and finite");
}

ComputeCost busiest(std::span<const ComputeCost> of_ranks) {
    ComputeCost most;
    for (const ComputeCost& rank : of_ranks)
        for (const auto count :
             {&ComputeCost::elements, &ComputeCost::comparisons, &ComputeCost::hashes, &ComputeCost::additions,
              &ComputeCost::multiplications, &ComputeCost::draws, &ComputeCost::rounds})
            most.*count = std::max(most.*count, rank.*count);
    return most;
}

}   // namespace oscar
