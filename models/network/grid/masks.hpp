// Sets of up to 64 members as bits of a word.
#pragma once

#include <bit>
#include <cstdint>

namespace oscar {

using Mask = std::uint64_t;

/// The set of member i alone. Precondition: i < 64.
constexpr Mask bit(std::uint32_t i) { return Mask{1} << i; }
/// The set of the members below n; all 64 where n is larger.
constexpr Mask lowest_bits(std::uint32_t n) { return n >= 64 ? ~Mask{0} : bit(n) - 1; }

/// The first member from `start` on; if there is none, the first of all. Precondition: the set is not empty, start <
/// 64.
constexpr std::uint32_t first_from(Mask set, std::uint32_t start) {
    const Mask behind = set & ~lowest_bits(start);
    return static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : set));
}

/// Calls f(i) for each member, in order.
template <class F>
constexpr void for_each_bit(Mask set, F&& f) {
    for (; set != 0; set &= set - 1) f(static_cast<std::uint32_t>(std::countr_zero(set)));
}

}   // namespace oscar
