// Index of Lossless Homomorphic Compression: a mergeable set of the non-zero elements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/fields.hpp"

namespace oscar {

/// The operation that merges the indices of all ranks.
enum class IndexMerge : std::uint8_t { bitwise_or, sum_nibble, sum_bit_as_published };
constexpr auto choices(IndexMerge) {
    return std::array{
        Choice{"or", IndexMerge::bitwise_or, "a bit per element, OR: needs a collective that has it"},
        Choice{"sum_nibble", IndexMerge::sum_nibble, "four bits per element, bytes summed: exact up to 15 ranks"},
        Choice{"sum_bit_as_published", IndexMerge::sum_bit_as_published,
               "a bit per element, bytes summed: where two ranks agree, the bit carries into the next element"}};
}

/// Bits of the index per element: 1 or 4.
std::uint32_t index_bits(IndexMerge merge);

/// Bytes that hold the index of `elements` elements.
std::uint64_t index_bytes(std::uint64_t elements, IndexMerge merge);

/// The index of one rank: an element that is not zero has its lowest bit set, the first elements in the lowest bits.
template <class Cell>
std::vector<std::uint8_t> make_index(std::span<const Cell> values, IndexMerge merge) {
    const std::uint32_t bits = index_bits(merge), per_byte = 8 / bits;
    std::vector<std::uint8_t> index(index_bytes(values.size(), merge));
    for (std::size_t i = 0; i < values.size(); ++i)
        index[i / per_byte] =
            static_cast<std::uint8_t>(index[i / per_byte] | (values[i] != 0) << (i % per_byte * bits));
    return index;
}

/// Merges `other` into `index`, byte by byte: OR, or sums modulo 256.
void merge_index(std::span<std::uint8_t> index, std::span<const std::uint8_t> other, IndexMerge merge);

/// The elements, below `elements`, whose bits are not all zero, in ascending order.
std::vector<std::uint32_t> listed_elements(std::span<const std::uint8_t> index, std::uint64_t elements,
                                           IndexMerge merge);

}   // namespace oscar
