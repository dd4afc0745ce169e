// Average cost of each row in fractions of a bit, for messages of which only the size is computed.
#pragma once

#include <array>
#include <cstdint>

#include "models/codec/table/table.hpp"

namespace oscar {

inline constexpr std::uint32_t fraction_bits = 20;   ///< costs are in 2^-20 bit

/// Cost of each row in 2^-20 bit.
using RowBits = std::array<std::uint64_t, table_rows>;

/// round(-2^20 * log2(count / 1024)), in integers. 1 <= count <= 1024.
std::uint32_t fine_row_cost(std::uint32_t count);

/// Costs of rows in the arithmetic coder. A bound at c counts of 1024 of a range R is floor(R c / 1024), on the average
/// (1024 - gcd(c, 1024)) / 2048 too low; what a row so loses of its share of R costs it that / (R p ln 2), where 1 / R
/// is 2.7e-5 on the average. Matters where a row is nearly certain. Rows without a count have cost 0.
RowBits arithmetic_bits(const Cumulative& starts);
/// Costs of rows in rANS. The state becomes floor(x / n) 1024 + start + x mod n instead of 1024 x / n; with x mod n at
/// (n - 1) / 2 and 1 / x at 2.75e-6 (x log-uniform over 2^15 .. 2^31), that is more or less by a little.
RowBits rans_bits(const Cumulative& cumulative);

}   // namespace oscar
