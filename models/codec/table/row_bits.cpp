#include "models/codec/table/row_bits.hpp"

#include <algorithm>
#include <bit>

#include "models/core/uint128.hpp"

namespace oscar {

namespace {

// log2(count) in 2^-20 by repeated squaring, as row_cost() in 1/256: 63 fractional bits leave 2^-42 of error after 21.
constexpr std::uint32_t fine_log2(std::uint32_t count) {
    const auto whole = static_cast<std::uint32_t>(std::bit_width(count)) - 1;
    std::uint64_t mantissa = std::uint64_t{count} << (63 - whole);   // in [1, 2), 63 fractional bits
    std::uint64_t result = whole;
    for (std::uint32_t bit = 0; bit <= fraction_bits; ++bit) {   // and one to round by
        const UInt128 square = UInt128{mantissa} * mantissa;     // in [1, 4), 126 fractional bits
        const auto reached = static_cast<std::uint32_t>(square >> 127);
        mantissa = static_cast<std::uint64_t>(square >> (63 + reached));
        result = result * 2 + reached;
    }
    return static_cast<std::uint32_t>((result + 1) / 2);
}

// log2 of all counts, so that a table costs but 16 look-ups.
const std::array<std::uint32_t, probability_total + 1>& logarithms() {
    static const auto all = [] {
        std::array<std::uint32_t, probability_total + 1> result{};
        for (std::uint32_t count = 1; count <= probability_total; ++count) result[count] = fine_log2(count);
        return result;
    }();
    return all;
}

// Mean of what rounding down takes from a bound at c counts, in 1/2048.
std::int64_t rounded_off(std::int32_t c) {
    constexpr auto total = static_cast<std::int32_t>(probability_total);
    return total - (c == 0 ? total : c & -c);   // for a power of two, the greatest common divisor is the lowest bit
}

std::uint64_t corrected(std::uint32_t count, std::int64_t correction) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, fine_row_cost(count) + correction));
}

}   // namespace

std::uint32_t fine_row_cost(std::uint32_t count) {
    return (probability_bits << fraction_bits) - logarithms().at(count);
}

RowBits arithmetic_bits(const Cumulative& starts) {
    constexpr std::int64_t scale = 41;   // 2^20 * 2.7e-5 / ln 2
    RowBits bits{};
    for (std::size_t row = 0; row < table_rows; ++row) {
        const std::int32_t count = starts[row + 1] - starts[row];
        if (count == 0) continue;
        const std::int64_t lost = rounded_off(starts[row + 1]) - rounded_off(starts[row]);
        bits[row] = corrected(static_cast<std::uint32_t>(count), lost * scale / (2 * std::int64_t{count}));
    }
    return bits;
}

RowBits rans_bits(const Cumulative& cumulative) {
    // 2^20 * 2.75e-6 / ln 2 is 4.16; per row n / 1024 * (start + (n - 1) / 2 * (1 - 1024 / n)).
    RowBits bits{};
    for (std::size_t row = 0; row < table_rows; ++row) {
        const std::int64_t start = cumulative[row], count = cumulative[row + 1] - start;
        if (count == 0) continue;
        const std::int64_t shift = 2 * count * start - (count - 1) * (std::int64_t{probability_total} - count);
        bits[row] = corrected(static_cast<std::uint32_t>(count), shift * 416 / (200 * std::int64_t{probability_total}));
    }
    return bits;
}

}   // namespace oscar
