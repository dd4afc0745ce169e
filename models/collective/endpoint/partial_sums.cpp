#include "models/collective/endpoint/partial_sums.hpp"

#include <algorithm>
#include <bit>

namespace oscar {
namespace {

/// floor(sqrt(n)), by bisection of its bits.
std::uint64_t square_root(std::uint64_t n) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::bit_floor(n); bit != 0; bit >>= 1)
        if (bit < (std::uint64_t{1} << 32) && (root + bit) * (root + bit) <= n) root += bit;
    return root;
}

std::uint64_t factor(std::uint32_t ranks, std::uint32_t all, Scaling scaling) {
    return scaling == Scaling::linear ? (std::uint64_t{ranks} << 16) / all
                                      : square_root((std::uint64_t{ranks} << 32) / all);
}

}   // namespace

std::vector<Symbol> partial_sums(std::span<const Symbol> sums, std::uint32_t ranks, std::uint32_t all,
                                 Scaling scaling) {
    const auto scale = static_cast<std::int64_t>(factor(ranks, all, scaling));
    std::vector<Symbol> result(sums.size());
    std::ranges::transform(sums, result.begin(), [&](Symbol v) {
        const std::int64_t magnitude = ((v < 0 ? -std::int64_t{v} : std::int64_t{v}) * scale + (1 << 15)) >> 16;
        return static_cast<Symbol>(v < 0 ? -magnitude : magnitude);
    });
    return result;
}

}   // namespace oscar
