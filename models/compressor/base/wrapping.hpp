// Arithmetic on the cells of sketches: fp32, or int32 that wraps as an adder in hardware does.
#pragma once

#include <bit>
#include <cstdint>

namespace oscar {

/// Modulo 2^32 for int32, so that what is added and taken away again leaves nothing, whatever passed the limits
/// between.
constexpr std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
/// fp32 does not wrap: what is added and taken away again may leave a rounding error.
constexpr float wrapping_sum(float a, float b) { return a + b; }

/// The content of a cell of `bits` bits, 1 <= bits <= 32, for `value`: the number of its range that is equal modulo
/// 2^bits.
constexpr std::int32_t wrapped(std::int32_t value, std::uint32_t bits) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << (32 - bits)) >> (32 - bits);
}

/// -value where `negative` is 1, value where it is 0; without a branch.
constexpr std::int32_t with_sign(std::int32_t value, std::uint32_t negative) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(value) ^ (0u - negative)) + negative);
}
/// Turns the sign bit where `negative` is 1, also of zeros.
constexpr float with_sign(float value, std::uint32_t negative) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ (negative << 31));
}

}   // namespace oscar
