#include "sim/trace/value_type.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace oscar::inline trace {
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

/// What each pattern of fp16 is in fp32: 256 KiB, which stay in the second cache and are five times as fast as
/// converting.
const std::vector<float>& all_halves() {
    static const std::vector<float> values = [] {
        std::vector<float> table(1U << 16);
        for (std::uint32_t half = 0; half < table.size(); ++half)
            table[half] = float_of_half(static_cast<std::uint16_t>(half));
        return table;
    }();
    return values;
}

}   // namespace

float float_of_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16, exponent = half >> 10 & 31U, fraction = half & 0x3ffU;
    // 112 is the difference of the exponents' biases, 127 - 15. Subnormal halves are multiples of 2^-24.
    const std::uint32_t normal = (exponent + (exponent == 31 ? 224 : 112)) << 23 | fraction << 13;
    const auto subnormal =
        std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(fraction)) * 0x1p-24F);
    return std::bit_cast<float>(sign | (exponent == 0 ? subnormal : normal));
}

float float_of_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t half_of_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fff'ffffU;
    std::uint32_t half = 0;
    if (magnitude > 0x7f80'0000U) half = 0x7e00;         // NaN
    else if (magnitude >= 0x4780'0000U) half = 0x7c00;   // from 2^16 on
    else if (magnitude < 0x3880'0000U)                   // below 2^-14, in multiples of 2^-24
        half = static_cast<std::uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24F));
    else   // half an ulp less a little, and one more if the kept part is odd: ties to even; a carry enters the exponent
        half = (magnitude + 0xfffU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}

void widen(std::span<const std::byte> stored, ValueType type, float scale, std::span<float> out) {
    switch (type) {
        case ValueType::f4:
            if (!out.empty()) std::memcpy(out.data(), stored.data(), out.size_bytes());
            for (float& value : out) value *= scale;
            break;
        case ValueType::f2:
            widen_words(stored, scale, out, [&halves = all_halves()](std::uint16_t word) { return halves[word]; });
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

}   // namespace oscar::inline trace
