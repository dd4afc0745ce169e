// Logarithm, power and normal quantile from additions, multiplications and divisions alone, so that every host
// generates the same bits; those of the C library, which Boost.Math's quantile calls, differ from version to version.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace oscar {

/// log2(x) of a positive normal number, absolute error below 1e-6: x = 2^e m, sqrt(1/2) <= m < sqrt(2), and
/// ln m = 2 artanh((m-1)/(m+1)) as a series whose first term left out is below 3e-10.
inline float log2_of(float x) {
    constexpr std::uint32_t root_half = 0x3f3504f3U;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) - root_half;
    const auto exponent = static_cast<std::int32_t>(bits) >> 23;
    const float m = std::bit_cast<float>((bits & 0x007f'ffffU) + root_half);
    const float t = (m - 1) / (m + 1), s = t * t;
    const float series = t * (1 + s * (1.0F / 3 + s * (1.0F / 5 + s * (1.0F / 7 + s * (1.0F / 9)))));
    return static_cast<float>(exponent) + 2.88539008F * series;   // 2 / ln 2
}

/// 2^x, relative error below 1e-6; x is taken as -126 below that and 127 above that.
inline float exp2_of(float x) {
    const float y = std::min(std::max(x, -126.0F), 127.0F);
    const auto whole = static_cast<std::int32_t>(y + 126.5F) - 126;   // to nearest: y + 126.5 is positive
    const float f = (y - static_cast<float>(whole)) * 0.693147181F;   // |f| <= ln(2) / 2
    const float series =
        1 + f * (1 + f * (1.0F / 2 + f * (1.0F / 6 + f * (1.0F / 24 + f * (1.0F / 120 + f * (1.0F / 720))))));
    return series * std::bit_cast<float>(static_cast<std::uint32_t>(whole + 127) << 23);
}

/// The z below which a standard normal variable lies with probability p, 0 < p < 1; relative error 2e-9 in the middle
/// and 1e-6 in the tails. Source: P. Acklam, "An algorithm for computing the inverse normal cumulative distribution
/// function", 2003.
double normal_quantile(double p);

}   // namespace oscar
