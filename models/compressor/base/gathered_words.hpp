// Reading of the words that an all-gather leaves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/carrier.hpp"

namespace oscar {

/// The words of one rank, padding included. Precondition: ranks > rank.
inline std::span<const Symbol> part_of(std::span<const Symbol> gathered, std::size_t ranks, std::size_t rank) {
    return gathered.subspan(gathered.size() / ranks * rank, gathered.size() / ranks);
}

/// The words that `count` fields of `bits` each take.
constexpr std::size_t words_of_fields(std::size_t count, std::uint32_t bits) { return (count * bits + 31) / 32; }

/// Law: unpacked_fields(packed_fields(f, bits), f.size(), bits) == f. Precondition: 1 <= bits <= 32, and `words` hold
/// as many.
inline std::vector<std::uint32_t> unpacked_fields(std::span<const Symbol> words, std::size_t count,
                                                  std::uint32_t bits) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::vector<std::uint32_t> fields(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bit = i * bits, word = bit / 32;
        std::uint64_t pair = static_cast<std::uint32_t>(words[word]);
        if (bit % 32 + bits > 32) pair |= std::uint64_t{static_cast<std::uint32_t>(words[word + 1])} << 32;
        fields[i] = static_cast<std::uint32_t>(pair >> (bit % 32) & mask);
    }
    return fields;
}

/// Adds what each rank says, rank after rank, and divides by their number. `said` writes what rank r says into a vector
/// of `elements` values, all of them.
template <class Said>
std::vector<float> mean_of_ranks(std::size_t ranks, std::size_t elements, const Said& said) {
    std::vector<float> mean(elements), own(elements);
    said(std::size_t{0}, std::span<float>(mean));
    for (std::size_t r = 1; r < ranks; ++r) {
        said(r, std::span<float>(own));
        for (std::size_t i = 0; i < elements; ++i) mean[i] += own[i];
    }
    for (float& value : mean) value /= static_cast<float>(ranks);
    return mean;
}

}   // namespace oscar
