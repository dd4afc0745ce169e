// Floats of 8 bits.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// Formats of the OCP 8-bit Floating Point Specification (Open Compute Project, 2023): a sign, an exponent, a mantissa.
enum class Float8Format : std::uint8_t { e5m2, e4m3 };
constexpr auto choices(Float8Format) {
    return std::array{
        Choice{"e5m2", Float8Format::e5m2, "5 bits of exponent, 2 of mantissa: 2^-16 to 57344"},
        Choice{"e4m3", Float8Format::e4m3, "4 bits of exponent, 3 of mantissa: 2^-9 to 448"},
    };
}

/// The largest finite value.
float largest_float8(Float8Format format);
/// The least positive value; also the distance of the values below 4 (e5m2) or 8 (e4m3) times this.
float least_float8(Float8Format format);

/// The bits of the value nearest to `value`, ties to even. What is larger than the largest, infinity too, becomes the
/// largest, as communication libraries clip it.
std::uint8_t float8_of(Float8Format format, float value);
/// The value of the bits, exact. Law: value_of_float8(f, float8_of(f, v)) == v for each v that the format has.
float value_of_float8(Float8Format format, std::uint8_t bits);

}   // namespace oscar
