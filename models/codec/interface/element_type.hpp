// The type of a bucket's words, which decides how they are added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

enum class ElementType : std::uint8_t {
    integer,       ///< codes and their sums, which widen
    float32,       ///< bit patterns of IEEE 754 binary32
    bfloat16,      ///< the upper halves of those, sign-extended; minus zero is zero, for -2^15 is no symbol of 16 bits
    float8_e5m2,   ///< the bits of Float8Format e5m2, sign-extended; minus zero is zero, for -2^7 is no symbol of 8
                   ///< bits
    float8_e4m3,   ///< the same of e4m3
    // Memory words of 32 bits, as lossy compressors put them together:
    int32,       ///< an integer modulo 2^32
    int16x2,     ///< two integers modulo 2^16, the first in the lower bits
    int8x4,      ///< four integers modulo 2^8, the first in the lowest bits
    bitmap,      ///< 32 bits, merged by OR instead of addition
    magnitude,   ///< the bit pattern of a float32 that is not negative; the larger is kept instead of the sum
};

/// Bits of one word; of integers, what the quantiser made: `code_bits`.
std::uint32_t word_bits(ElementType type, std::uint32_t code_bits);

/// The word nearest to `value` (bfloat16, float8: to nearest, ties to even; float8 clips). Precondition: not integer.
Symbol word_of(ElementType type, float value);
/// The word of each value, as by word_of(), in order.
std::vector<Symbol> words_of(ElementType type, std::span<const float> values);
/// The value of a word, exact. Precondition: not integer.
float value_of(ElementType type, Symbol word);

/// The neutral word of addition: the value of a sum to which nothing has been added yet.
Symbol additive_identity(ElementType type);

/// The most by which a word may be off: this part of its value, or this if that is more. Precondition: a type of
/// floats; no value is larger than its largest.
struct RoundingError {
    double relative, absolute;
};
RoundingError rounding_error_of(ElementType type);

/// The sum, rounded to a word of its kind: with bfloat16 and float8, at each addition.
Symbol sum(ElementType type, Symbol a, Symbol b);
/// Adds each of `words` to the word of `to` in its place. Law: that becomes their sum(). Precondition: equal sizes.
void add(ElementType type, std::span<Symbol> to, std::span<const Symbol> words);

}   // namespace oscar
