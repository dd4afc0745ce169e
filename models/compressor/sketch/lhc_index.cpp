#include "models/compressor/sketch/lhc_index.hpp"

namespace oscar {

std::uint32_t index_bits(IndexMerge merge) { return merge == IndexMerge::sum_nibble ? 4 : 1; }

std::uint64_t index_bytes(std::uint64_t elements, IndexMerge merge) { return (elements * index_bits(merge) + 7) / 8; }

void merge_index(std::span<std::uint8_t> index, std::span<const std::uint8_t> other, IndexMerge merge) {
    for (std::size_t i = 0; i < index.size(); ++i)
        index[i] =
            static_cast<std::uint8_t>(merge == IndexMerge::bitwise_or ? index[i] | other[i] : index[i] + other[i]);
}

std::vector<std::uint32_t> listed_elements(std::span<const std::uint8_t> index, std::uint64_t elements,
                                           IndexMerge merge) {
    const std::uint32_t bits = index_bits(merge), per_byte = 8 / bits, mask = (1u << bits) - 1;
    std::vector<std::uint32_t> listed;
    for (std::size_t byte = 0; byte < index.size(); ++byte) {
        if (index[byte] == 0) continue;
        for (std::uint32_t k = 0; k < per_byte; ++k)
            if ((index[byte] >> (k * bits) & mask) != 0 && byte * per_byte + k < elements)
                listed.push_back(static_cast<std::uint32_t>(byte * per_byte + k));
    }
    return listed;
}

}   // namespace oscar
