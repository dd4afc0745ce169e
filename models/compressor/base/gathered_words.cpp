#include "models/compressor/base/gathered_words.hpp"

namespace oscar {

std::vector<std::uint32_t> unpacked_fields(std::span<const Symbol> words, std::size_t count, std::uint32_t bits) {
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

}   // namespace oscar
