// Random numbers by counter: number i of a stream is a function of the stream's key and i, in any order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "models/core/random.hpp"
#include "sim/generator/arithmetic.hpp"

namespace oscar {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;   // 2^64 / golden ratio, SplitMix64's step
/// The finaliser of SplitMix64 alone: a bijection of 64-bit numbers whose output bits all depend on all input bits.
constexpr std::uint64_t mix(std::uint64_t x) { return random_at(x - golden, 0); }

/// A stream of random numbers.
struct Stream {
    std::uint64_t key;

    /// The stream of one use within this one: a layer, a rank, an iteration.
    constexpr Stream of(std::uint64_t use) const { return {mix(bits(0) ^ (use + 1) * golden)}; }
    /// Number i, 64 random bits.
    constexpr std::uint64_t bits(std::uint64_t i) const { return random_at(key, i); }
    /// Number i as a multiple of 2^-53 in [0, 1).
    constexpr double uniform(std::uint64_t i) const { return uniform_at(key, i); }
};

/// The standard normal number for 32 random bits. The lowest bit is the sign; the others, u + 1/2 in units of 2^-32,
/// are the probability of the tail beyond |z|, whose quantile is interpolated between 32 points in each octave.
class NormalTable {
public:
    NormalTable() {
        const auto magnitude = [](std::uint32_t piece) {   // at the lower end of a piece
            const auto tail = static_cast<double>(std::bit_cast<float>(lowest + (piece << shift)));
            return -normal_quantile(std::min(tail * 0x1p-32, 0.5));
        };
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            const double start = magnitude(i), end = magnitude(i + 1);
            pieces_[i] = {static_cast<float>(start), static_cast<float>((end - start) / (1U << shift))};
        }
    }

    float operator()(std::uint32_t bits) const {
        const auto tail = std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 1) + 0.5F) - lowest;   // 2^-1 .. 2^31
        const Piece& piece = pieces_[tail >> shift];
        const float z = piece.start + piece.slope * static_cast<float>(tail & ((1U << shift) - 1));
        return (bits & 1) != 0 ? -z : z;
    }

private:
    static constexpr std::uint32_t shift = 18, lowest = 0x3f00'0000U;   // bits of 1/2; 23 - 5 bits within a piece
    struct Piece {
        float start, slope;   // |z| at the piece's lower end, and its growth per step of the argument
    };
    std::array<Piece, std::size_t{33} * 32> pieces_;   // octaves 2^-1 .. 2^31, the last for what rounds up to 2^31
};

/// The one table of the program.
inline const NormalTable& normal_table() {
    static const NormalTable table;
    return table;
}

}   // namespace oscar
