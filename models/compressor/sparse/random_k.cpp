#include "models/compressor/sparse/random_k.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {
namespace {

Positions with_replacement(std::uint64_t range, std::uint64_t k, std::uint64_t key) {
    Positions drawn(k);
    for (std::uint64_t i = 0; i < k; ++i) drawn[i] = drawn_below(range, key, i);
    std::ranges::sort(drawn);
    return drawn;
}

/// Draws until k distinct ones are marked, or until all but k are, whichever are fewer: twice k draws at most on
/// average.
Positions distinct(std::uint64_t range, std::uint64_t k, std::uint64_t key, std::uint64_t& draws) {
    const bool mark_kept = k <= range / 2;
    std::vector<bool> marked(range);
    for (std::uint64_t missing = mark_kept ? k : range - k; missing > 0; ++draws) {
        const std::uint32_t drawn = drawn_below(range, key, draws);
        missing -= !marked[drawn];
        marked[drawn] = true;
    }
    Positions result;
    result.reserve(k);
    for (std::uint32_t i = 0; i < range; ++i)
        if (marked[i] == mark_kept) result.push_back(i);
    return result;
}

}   // namespace

Positions select(const RandomKSelect& params, const SelectionInput& input, ComputeCost& operations) {
    const std::uint64_t elements = input.values.size();
    const std::uint64_t range = params.range == SelectionRange::published ? elements - 1 : elements;
    if (range == 0)
        throw std::invalid_argument(
            "random_k with range 'published' never draws the last element, but a tensor has "
            "only one; write range: corrected");
    const std::uint64_t k = selection_size(elements, input.factor);
    std::uint64_t draws = 0;
    Positions result = params.replacement ? with_replacement(range, draws = k, input.key)
                                          : distinct(range, std::min(k, range), input.key, draws);
    operations.draws += draws;
    operations.elements += k;
    ++operations.rounds;
    return result;
}

}   // namespace oscar
