#include "models/codec/interface/float8.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oscar {
namespace {

struct Float8Shape {
    int mantissa_bits, bias;
    float largest;
};

constexpr Float8Shape shape_of_float8(Float8Format format) {
    return format == Float8Format::e5m2 ? Float8Shape{2, 15, 57344} : Float8Shape{3, 7, 448};
}

constexpr std::uint8_t float8_nan = 0x7F, float8_sign = 0x80;

/// Beyond the largest e5m2 has infinity and several NaN, e4m3 one NaN.
float beyond_largest(Float8Format format, std::uint32_t magnitude) {
    const bool infinite = format == Float8Format::e5m2 && magnitude == 0x7C;
    return infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
}

float decoded_float8(Float8Format format, std::uint8_t bits) {
    const auto [mantissa_bits, bias, largest] = shape_of_float8(format);
    const int magnitude = bits & ~float8_sign, exponent = magnitude >> mantissa_bits, one = 1 << mantissa_bits;
    const int mantissa = magnitude - exponent * one + (exponent > 0 ? one : 0);
    float value = std::ldexp(static_cast<float>(mantissa), std::max(exponent, 1) - bias - mantissa_bits);
    if (value > largest) value = beyond_largest(format, static_cast<std::uint32_t>(magnitude));
    return (bits & float8_sign) != 0 ? -value : value;
}

using Float8Values = std::array<float, 256>;

Float8Values decoded_values(Float8Format format) {
    Float8Values values{};
    for (std::size_t bits = 0; bits < values.size(); ++bits)
        values[bits] = decoded_float8(format, static_cast<std::uint8_t>(bits));
    return values;
}

}   // namespace

float largest_float8(Float8Format format) { return shape_of_float8(format).largest; }

float least_float8(Float8Format format) { return value_of_float8(format, 1); }

/// The mantissa with its leading one, in units of the last place, is `units`; a carry out of it raises the exponent.
std::uint8_t float8_of(Float8Format format, float value) {
    const auto [mantissa_bits, bias, largest] = shape_of_float8(format);
    if (std::isnan(value)) return float8_nan;
    const float magnitude = std::min(std::abs(value), largest);
    int exponent = 0;
    std::frexp(std::max(magnitude, std::ldexp(1.0F, 1 - bias)), &exponent);   // values below have its last place
    const int last_place = exponent - 1 - mantissa_bits;
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -last_place)));
    const int below = last_place + mantissa_bits + bias - 1;   // exponents between this and that of the least values
    const int bits = units + below * (1 << mantissa_bits);
    return static_cast<std::uint8_t>(bits | (std::signbit(value) ? float8_sign : 0));
}

float value_of_float8(Float8Format format, std::uint8_t bits) {
    static const std::array values{decoded_values(Float8Format::e5m2), decoded_values(Float8Format::e4m3)};
    return values[static_cast<std::size_t>(format)][bits];
}

}   // namespace oscar
