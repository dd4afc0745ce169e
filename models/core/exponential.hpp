// Exponential random numbers by position, in integers: the same on every host.
#pragma once

#include <bit>
#include <cstdint>

#include "models/core/random.hpp"

namespace oscar {

/// log2(value) in 2^-32, rounded down to within 2^-29: bits of the mantissa's log2 come out one by one by repeated
/// squaring. Precondition: value > 0.
constexpr std::uint64_t scaled_log2(std::uint64_t value) {
    const int zeros = std::countl_zero(value);
    std::uint64_t result = static_cast<std::uint64_t>(63 - zeros);
    std::uint64_t mantissa = (value << zeros) >> 32;   // in [2^31, 2^32)
    for (int bit = 0; bit < 32; ++bit) {
        const std::uint64_t square = mantissa * mantissa;
        const bool doubled = square >> 63 != 0;
        result = (result << 1) + doubled;
        mantissa = doubled ? square >> 32 : square >> 31;
    }
    return result;
}

/// The number at `index` of the stream `key`, in 2^-32: exponential with mean 1, as -ln(u) of a uniform u in (0, 1).
constexpr std::uint64_t exponential_at(std::uint64_t key, std::uint64_t index) {
    constexpr std::uint64_t ln_2 = 11'629'080;   // in 2^-24
    const std::uint64_t bits = (std::uint64_t{64} << 32) - scaled_log2(random_at(key, index) | 1);
    return (bits * ln_2) >> 24;
}

}   // namespace oscar
