// Random numbers by position, the same on every host in any order. Philox (Random123) would change every result.
#pragma once

#include <cstdint>

namespace oscar {

/// The number at `index` of the stream `key`: SplitMix64, whose state is a counter. Numbers of one stream are uniform
/// over 64 bits; a number of one stream may be the key of another. Source: Steele, Lea, Flood, OOPSLA 2014, section 3.
constexpr std::uint64_t random_at(std::uint64_t key, std::uint64_t index) {
    std::uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// The same as a number in [0, 1), a multiple of 2^-53.
constexpr double uniform_at(std::uint64_t key, std::uint64_t index) {
    return static_cast<double>(random_at(key, index) >> 11) * 0x1p-53;
}

}   // namespace oscar
