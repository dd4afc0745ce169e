// Storage types of gradient values, with exact conversion to fp32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/core/fields.hpp"

namespace oscar {

/// Little-endian floating-point types of stored values.
enum class ValueType : std::uint8_t { f4, f2, bf16 };
constexpr auto choices(ValueType) {
    return std::array{Choice{"f4", ValueType::f4, "fp32: IEEE binary32"},
                      Choice{"f2", ValueType::f2, "fp16: IEEE binary16, perhaps with a scale"},
                      Choice{"bf16", ValueType::bf16, "bfloat16: the upper half of an fp32"}};
}

/// Bytes of one stored value.
constexpr std::size_t bytes_of(ValueType type) { return type == ValueType::f4 ? 4 : 2; }

/// The value of fp16 bits, exact; NaN and infinities keep their kind.
float float_of_half(std::uint16_t half);
/// The value of bf16 bits, exact: they are the upper half of its fp32.
float float_of_bfloat16(std::uint16_t bits);

/// The nearest fp16, ties to even; infinite from 65520 on.
std::uint16_t half_of_float(float value);

/// Stored values as fp32: value * scale, which is exact for a power of two that keeps the value a normal or a
/// representable subnormal number. stored.size() is out.size() * bytes_of(type); it need not be aligned.
void widen(std::span<const std::byte> stored, ValueType type, float scale, std::span<float> out);

/// The position of the first value that is NaN or infinite; the number of values if there is none.
std::size_t first_not_finite(std::span<const std::byte> stored, ValueType type);

}   // namespace oscar
