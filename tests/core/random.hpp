// Random integers whose magnitudes are spread evenly, for tests of laws.
#pragma once

#include <cstdint>
#include <random>

namespace oscar::testing {

/// A number of at most `bits` random bits, where each length is equally likely: small and large values alike.
inline std::uint64_t random_magnitude(std::mt19937_64& random, unsigned bits) {
    const unsigned length = std::uniform_int_distribution<unsigned>(0, bits)(random);
    return length == 0 ? 0 : random() >> (64 - length);
}

}   // namespace oscar::testing
