#include "models/codec/interface/element_type.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/codec/interface/float8.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t quiet_nan = 0x7FC0;

std::uint32_t upper_half(float value) {
    if (value != value) return quiet_nan;
    const auto pattern = std::bit_cast<std::uint32_t>(value);
    return (pattern + 0x7FFF + (pattern >> 16 & 1)) >> 16;
}

bool is_float8(ElementType type) { return type == ElementType::float8_e5m2 || type == ElementType::float8_e4m3; }

/// Precondition: is_float8(type).
Float8Format format_of(ElementType type) {
    return type == ElementType::float8_e5m2 ? Float8Format::e5m2 : Float8Format::e4m3;
}

/// Two's complement of as many bits, but for the pattern of the sign alone, which is 0.
template <class Signed>
Symbol word_of_pattern(std::uint32_t pattern) {
    const auto word = static_cast<Signed>(pattern);
    return word == std::numeric_limits<Signed>::min() ? 0 : word;
}

/// As a 32-bit adder: words that damage on the wire has altered may leave the range, and the sum wraps.
Symbol integer_sum(Symbol a, Symbol b) {
    return static_cast<Symbol>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

/// The sum in each of the word's fields of `bits` bits, without a carry from one into the next.
Symbol sum_of_fields(Symbol a, Symbol b, std::uint32_t bits) {
    const std::uint32_t top = bits == 8 ? 0x80808080U : 0x80008000U;
    const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
    return static_cast<Symbol>(((x & ~top) + (y & ~top)) ^ ((x ^ y) & top));
}

}   // namespace

std::uint32_t word_bits(ElementType type, std::uint32_t code_bits) {
    if (type == ElementType::integer) return code_bits;
    if (is_float8(type)) return 8;
    return type == ElementType::bfloat16 ? 16 : 32;
}

Symbol word_of(ElementType type, float value) {
    if (type == ElementType::float32) return std::bit_cast<Symbol>(value);
    if (is_float8(type)) return word_of_pattern<std::int8_t>(float8_of(format_of(type), value));
    return word_of_pattern<std::int16_t>(upper_half(value));
}

std::vector<Symbol> words_of(ElementType type, std::span<const float> values) {
    std::vector<Symbol> words(values.size());
    std::ranges::transform(values, words.begin(), [&](float v) { return word_of(type, v); });
    return words;
}

float value_of(ElementType type, Symbol word) {
    if (type == ElementType::float32) return std::bit_cast<float>(word);
    if (is_float8(type)) return value_of_float8(format_of(type), static_cast<std::uint8_t>(word));
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16);
}

/// Half of a last place.
RoundingError rounding_error_of(ElementType type) {
    if (!is_float8(type)) return {type == ElementType::bfloat16 ? 0x1p-8 : 0x1p-24, 0};
    return {type == ElementType::float8_e5m2 ? 0x1p-3 : 0x1p-4, double{least_float8(format_of(type))} / 2};
}

Symbol additive_identity(ElementType type) { return type == ElementType::float32 ? std::bit_cast<Symbol>(-0.0f) : 0; }

Symbol sum(ElementType type, Symbol a, Symbol b) {
    switch (type) {
        case ElementType::integer:
        case ElementType::int32:
            return integer_sum(a, b);
        case ElementType::float32:
        case ElementType::bfloat16:
        case ElementType::float8_e5m2:
        case ElementType::float8_e4m3:
            return word_of(type, value_of(type, a) + value_of(type, b));
        case ElementType::int16x2:
            return sum_of_fields(a, b, 16);
        case ElementType::int8x4:
            return sum_of_fields(a, b, 8);
        case ElementType::bitmap:
            return a | b;
        case ElementType::magnitude:
            return std::max(a, b);
    }
    return 0;
}

// One loop per kind, which the compiler can vectorise.
void add(ElementType type, std::span<Symbol> to, std::span<const Symbol> words) {
    const auto with = [&](auto sum_of_two) { std::ranges::transform(to, words, to.begin(), sum_of_two); };
    switch (type) {
        case ElementType::integer:
        case ElementType::int32:
            return with([](Symbol a, Symbol b) { return integer_sum(a, b); });
        case ElementType::float32:
            return with([](Symbol a, Symbol b) {
                return std::bit_cast<Symbol>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
            });
        case ElementType::bfloat16:
            return with([](Symbol a, Symbol b) { return sum(ElementType::bfloat16, a, b); });
        case ElementType::float8_e5m2:
        case ElementType::float8_e4m3:
            return with([&](Symbol a, Symbol b) { return sum(type, a, b); });
        case ElementType::int16x2:
            return with([](Symbol a, Symbol b) { return sum_of_fields(a, b, 16); });
        case ElementType::int8x4:
            return with([](Symbol a, Symbol b) { return sum_of_fields(a, b, 8); });
        case ElementType::bitmap:
            return with([](Symbol a, Symbol b) { return a | b; });
        case ElementType::magnitude:
            return with([](Symbol a, Symbol b) { return std::max(a, b); });
    }
}

}   // namespace oscar
