// One round of a fuzz of the coders' state: everything is drawn from a seed.
#pragma once

#include <cstdint>

namespace oscar::test {

/// Draws a codec and its parameters, a split, a framing, tables, classes and a message; then
///   what was encoded comes back, with equal blocks; the sized blocks tile as many values;
///   damaged, cut and extended messages, and those of other tables, widths or iterations, are decoded or refused as
///   CorruptStream, and nothing else;
///   two ends that learn the same, in any order, commit, roll back and reset, hold equal tables.
/// Throws logic_error, which tells the seed, if a law does not hold; reads and writes out of bounds are for sanitizers.
void fuzz_coder(std::uint64_t seed);

}   // namespace oscar::test
