#include "sim/trace/value_type.hpp"

#include <Imath/half.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace oscar {
namespace {

static_assert(std::endian::native == std::endian::little && sizeof(float) == 4,
              "values are used as they lie in the file");

/// NaN and infinities, and they alone, have all bits of `exponent`. No branch inside, so that compilers vectorise.
template <class Word>
bool all_finite(const std::byte* stored, std::size_t count, Word exponent) {
    Word bad = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Word word;
        std::memcpy(&word, stored + i * sizeof(Word), sizeof(Word));
        bad = static_cast<Word>(bad | static_cast<Word>((word & exponent) == exponent));
    }
    return bad == 0;
}

template <class Word>
std::size_t first_not_finite_word(std::span<const std::byte> stored, Word exponent) {
    constexpr std::size_t block = 4096;
    const std::size_t count = stored.size() / sizeof(Word);
    std::size_t at = 0;
    while (at < count && all_finite(stored.data() + at * sizeof(Word), std::min(block, count - at), exponent))
        at += block;
    while (at < count && all_finite(stored.data() + at * sizeof(Word), 1, exponent)) ++at;
    return std::min(at, count);
}

template <class Convert>
void widen_words(std::span<const std::byte> stored, float scale, std::span<float> out, Convert convert) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint16_t word;
        std::memcpy(&word, stored.data() + 2 * i, 2);
        out[i] = convert(word) * scale;
    }
}

}   // namespace

float float_of_half(std::uint16_t bits) { return imath_half_to_float(bits); }   // by a table of all patterns
float float_of_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t half_of_float(float value) { return imath_float_to_half(value); }

void widen(std::span<const std::byte> stored, ValueType type, float scale, std::span<float> out) {
    switch (type) {
        case ValueType::f4:
            if (!out.empty()) std::memcpy(out.data(), stored.data(), out.size_bytes());
            for (float& value : out) value *= scale;
            break;
        case ValueType::f2:
            widen_words(stored, scale, out, [](std::uint16_t word) { return float_of_half(word); });
            break;
        case ValueType::bf16:
            widen_words(stored, scale, out, [](std::uint16_t word) { return float_of_bfloat16(word); });
            break;
    }
}

std::size_t first_not_finite(std::span<const std::byte> stored, ValueType type) {
    switch (type) {
        case ValueType::f4:
            return first_not_finite_word<std::uint32_t>(stored, 0x7f80'0000U);
        case ValueType::f2:
            return first_not_finite_word<std::uint16_t>(stored, 0x7c00U);
        case ValueType::bf16:
            return first_not_finite_word<std::uint16_t>(stored, 0x7f80U);
    }
    return 0;
}

}   // namespace oscar
