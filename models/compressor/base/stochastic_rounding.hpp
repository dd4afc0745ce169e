// Unbiased stochastic rounding to whole levels.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "models/core/random.hpp"

namespace oscar {

/// The stream of random numbers of one tensor of one rank in one step of a compressor.
constexpr std::uint64_t random_key(std::uint64_t seed, std::uint64_t step, std::uint64_t rank, std::uint64_t tensor) {
    return random_at(random_at(random_at(seed, step), rank), tensor);
}
/// Stands for the rank where all ranks draw the same numbers.
inline constexpr std::uint64_t shared_draw = ~std::uint64_t{0};

/// Uniform numbers of one block of elements, multiples of 2^-24 in [0, 1): two of each 64-bit number of the stream.
inline constexpr std::size_t draw_block = 1024;
using UniformBlock = std::array<float, draw_block>;
/// Fills `uniform` with the numbers of block `block` of the stream `key`; element j of the block takes uniform[j].
inline void draw_uniform(std::uint64_t key, std::uint64_t block, UniformBlock& uniform) {
    constexpr std::size_t half = draw_block / 2;
    for (std::size_t j = 0; j < half; ++j) {
        const std::uint64_t word = random_at(key, block * half + j);
        uniform[j] = static_cast<float>(static_cast<std::int32_t>(word >> 8 & 0xffffff)) * 0x1p-24f;
        uniform[j + half] = static_cast<float>(static_cast<std::int32_t>(word >> 40)) * 0x1p-24f;
    }
}

/// A factor in two parts, of which neither is subnormal nor too large: |v| * shift * factor.
struct LevelScale {
    float shift = 0, factor = 0;
};
/// The scale that turns a value as large as `norm` into `levels`; zeros for norm 0.
LevelScale level_scale(float levels, float norm);

/// Parameters of the codes of one tensor.
struct RoundingPlan {
    std::span<const LevelScale> scales;                     ///< of each bucket
    std::uint64_t bucket = 1;                               ///< elements that share a scale; at least 1
    float levels = 1;                                       ///< the largest level
    float limit = std::numeric_limits<float>::infinity();   ///< larger values count as this
};

/// codes[i] = +-level with the sign of the value: the level below or above |v| * scale, at most `levels`, so that the
/// mean over draws is |v| * scale. Source: Alistarh et al., NeurIPS 2017, section 3.1.
void round_stochastically(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key,
                          std::span<std::int8_t> codes);
/// The same in 16 bits, for up to 32767 levels; the draws are equal.
void round_stochastically(std::span<const float> values, const RoundingPlan& plan, std::uint64_t key,
                          std::span<std::int16_t> codes);

}   // namespace oscar
