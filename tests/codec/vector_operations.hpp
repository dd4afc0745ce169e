// Each operation of models/codec/bits/vector.hpp on arrays, for one instruction set, with its scalar meaning.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "models/codec/bits/vector.hpp"
#include "tests/codec/vector_set.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

using Words = const std::uint32_t*;

// A function on arrays of what `expression` makes of vectors a and b.
#define OSCAR_ELEMENTWISE(name, expression)                                             \
    OSCAR_VECTOR_LOOP inline void name(Words first, Words second, std::uint32_t* out) { \
        [[maybe_unused]] const Vector a = load(first), b = load(second);                \
        store(out, expression);                                                         \
    }
OSCAR_ELEMENTWISE(try_add, a + b)
OSCAR_ELEMENTWISE(try_subtract, a - b)
OSCAR_ELEMENTWISE(try_multiply, a* b)
OSCAR_ELEMENTWISE(try_and, a& b)
OSCAR_ELEMENTWISE(try_or, a | b)
OSCAR_ELEMENTWISE(try_xor, a ^ b)
OSCAR_ELEMENTWISE(try_not, ~a)
OSCAR_ELEMENTWISE(try_left, a << b)
OSCAR_ELEMENTWISE(try_right, a >> b)
OSCAR_ELEMENTWISE(try_left_7, a << 7u)
OSCAR_ELEMENTWISE(try_right_7, a >> 7u)
OSCAR_ELEMENTWISE(try_signed_right_7, shift_signed(a, 7))
OSCAR_ELEMENTWISE(try_sign_extend, sign_extend(a, 11))
OSCAR_ELEMENTWISE(try_magnitude, magnitude(a))
OSCAR_ELEMENTWISE(try_lesser, lesser(a, b))
OSCAR_ELEMENTWISE(try_leading_zeros, leading_zeros(a))
OSCAR_ELEMENTWISE(try_byte_swap, byte_swap(a))
OSCAR_ELEMENTWISE(try_at_most, only(a <= b, every(1)))
OSCAR_ELEMENTWISE(try_less, only(a < b, every(1)))
OSCAR_ELEMENTWISE(try_has_any, only(has_any(a, b), every(1)))
OSCAR_ELEMENTWISE(try_nonnegative, only(nonnegative(a), every(1)))
OSCAR_ELEMENTWISE(try_select, select(a < b, a + every(1), b))
OSCAR_ELEMENTWISE(try_both, only((a < b) & nonnegative(a), every(1)))
OSCAR_ELEMENTWISE(try_either, only((a < b) | nonnegative(a), every(1)))
OSCAR_ELEMENTWISE(try_rough_quotient, rough_quotient(a, b))
#undef OSCAR_ELEMENTWISE

inline std::vector<test::Operation> operations() {
    using U = std::uint32_t;
    return {
        {"+", try_add, [](U a, U b) -> U { return a + b; }},
        {"-", try_subtract, [](U a, U b) -> U { return a - b; }},
        {"*", try_multiply, [](U a, U b) -> U { return a * b; }},
        {"&", try_and, [](U a, U b) -> U { return a & b; }},
        {"|", try_or, [](U a, U b) -> U { return a | b; }},
        {"^", try_xor, [](U a, U b) -> U { return a ^ b; }},
        {"~", try_not, [](U a, U) -> U { return ~a; }},
        {"<<", try_left, [](U a, U b) -> U { return b < 32 ? a << b : 0; }},
        {">>", try_right, [](U a, U b) -> U { return b < 32 ? a >> b : 0; }},
        {"<< 7", try_left_7, [](U a, U) -> U { return a << 7; }},
        {">> 7", try_right_7, [](U a, U) -> U { return a >> 7; }},
        {"shift_signed", try_signed_right_7,
         [](U a, U) -> U { return static_cast<U>(static_cast<std::int32_t>(a) >> 7); }},
        {"sign_extend", try_sign_extend,
         [](U a, U) -> U { return static_cast<U>(static_cast<std::int32_t>(a << 21) >> 21); }},
        {"magnitude", try_magnitude, [](U a, U) -> U { return static_cast<std::int32_t>(a) < 0 ? 0 - a : a; }},
        {"lesser", try_lesser, [](U a, U b) -> U { return a < b ? a : b; }},
        {"leading_zeros", try_leading_zeros, [](U a, U) -> U { return static_cast<U>(std::countl_zero(a)); }},
        {"byte_swap", try_byte_swap, [](U a, U) -> U { return __builtin_bswap32(a); }},
        {"<=", try_at_most, [](U a, U b) -> U { return a <= b ? 1 : 0; }},
        {"<", try_less, [](U a, U b) -> U { return a < b ? 1 : 0; }},
        {"has_any", try_has_any, [](U a, U b) -> U { return (a & b) != 0 ? 1 : 0; }},
        {"nonnegative", try_nonnegative, [](U a, U) -> U { return a >> 31 == 0 ? 1 : 0; }},
        {"select", try_select, [](U a, U b) -> U { return a < b ? a + 1 : b; }},
        {"both", try_both, [](U a, U b) -> U { return a < b && a >> 31 == 0 ? 1 : 0; }},
        {"either", try_either, [](U a, U b) -> U { return a < b || a >> 31 == 0 ? 1 : 0; }},
    };
}

OSCAR_VECTOR_LOOP inline void try_at(Words table, Words rows, std::uint32_t* out) {
    store(out, at(load_rows(table), load(rows)));
}
OSCAR_VECTOR_LOOP inline void try_gather(Words table, Words index, std::uint32_t* out) {
    store(out, gather(reinterpret_cast<const std::int32_t*>(table), load(index)));
}
OSCAR_VECTOR_LOOP inline void try_gather_at_bytes(Words table, Words index, std::uint32_t* out) {
    store(out, gather_at_bytes(reinterpret_cast<const std::byte*>(table), load(index)));
}
OSCAR_VECTOR_LOOP inline std::uint32_t try_bits(std::size_t size) { return bits_of(first_elements(size)); }
OSCAR_VECTOR_LOOP inline void try_load(std::size_t size, const std::int32_t* from, std::uint32_t* out) {
    store(out, load(first_elements(size), from));
}
OSCAR_VECTOR_LOOP inline void try_load_bytes(std::size_t size, const std::uint8_t* from, std::uint32_t* out) {
    store(out, load_bytes(first_elements(size), from));
}
OSCAR_VECTOR_LOOP inline void try_store(std::size_t size, std::int32_t* to, Words given) {
    store(first_elements(size), to, load(given));
}
OSCAR_VECTOR_LOOP inline void try_scatter(std::size_t size, std::uint32_t* to, Words index, Words given) {
    scatter(first_elements(size), to, load(index), load(given));
}
inline test::VectorSet vector_set() {
    return {lanes_per_register,
            operations(),
            {try_at, try_gather, try_gather_at_bytes},
            {try_bits, try_load, try_load_bytes, try_store, try_scatter},
            try_rough_quotient};
}

}   // namespace oscar::OSCAR_VECTORS

#endif
