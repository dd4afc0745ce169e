#include "models/collective/endpoint/element_type.hpp"

#include <algorithm>
#include <bit>

namespace oscar {
namespace {

constexpr std::uint32_t quiet_nan = 0x7FC0;

std::uint32_t upper_half(float value) {
    if (value != value) return quiet_nan;
    const auto pattern = std::bit_cast<std::uint32_t>(value);
    return (pattern + 0x7FFF + (pattern >> 16 & 1)) >> 16;
}

/// As a 32-bit adder: words that damage on the wire has altered may leave the range, and the sum wraps.
Symbol integer_sum(Symbol a, Symbol b) {
    return static_cast<Symbol>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

}   // namespace

std::uint32_t word_bits(ElementType type, std::uint32_t code_bits) {
    if (type == ElementType::integer) return code_bits;
    return type == ElementType::float32 ? 32 : 16;
}

Symbol word_of(ElementType type, float value) {
    if (type == ElementType::float32) return std::bit_cast<Symbol>(value);
    const std::uint32_t half = upper_half(value);
    return half == 0x8000 ? 0 : static_cast<std::int16_t>(half);
}

std::vector<Symbol> words_of(ElementType type, std::span<const float> values) {
    std::vector<Symbol> words(values.size());
    std::ranges::transform(values, words.begin(), [&](float v) { return word_of(type, v); });
    return words;
}

float value_of(ElementType type, Symbol word) {
    if (type == ElementType::float32) return std::bit_cast<float>(word);
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16);
}

Symbol additive_identity(ElementType type) { return type == ElementType::float32 ? std::bit_cast<Symbol>(-0.0f) : 0; }

Symbol sum(ElementType type, Symbol a, Symbol b) {
    if (type == ElementType::integer) return integer_sum(a, b);
    return word_of(type, value_of(type, a) + value_of(type, b));
}

// One loop per kind, which the compiler can vectorise.
void add(ElementType type, std::span<Symbol> to, std::span<const Symbol> words) {
    const auto with = [&](auto sum_of_two) { std::ranges::transform(to, words, to.begin(), sum_of_two); };
    switch (type) {
        case ElementType::integer:
            return with([](Symbol a, Symbol b) { return integer_sum(a, b); });
        case ElementType::float32:
            return with([](Symbol a, Symbol b) {
                return std::bit_cast<Symbol>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
            });
        case ElementType::bfloat16:
            return with([](Symbol a, Symbol b) { return sum(ElementType::bfloat16, a, b); });
    }
}

}   // namespace oscar
