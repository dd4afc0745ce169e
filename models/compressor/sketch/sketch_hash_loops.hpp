// The inner loops of SketchHash: the hashes of consecutive elements of one row and block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/codec/bits/avx512.hpp"
#include "models/compressor/sketch/sketch_hash.hpp"

namespace oscar {

namespace hashing {

inline constexpr std::uint64_t prime = SketchHash::prime;

/// Parameters that all elements of one block of one row share.
struct Block {
    SketchHash::Polynomials row;
    std::uint32_t columns, offset, negative;   ///< offset below columns
};

/// Columns and signs of the tokens first .. first + size - 1, where a token is an element's number in its block.
void hash_block(const Block& block, std::uint64_t first, std::size_t size, std::uint32_t* columns,
                std::uint32_t* negative);

namespace avx512 {

/// The same numbers, for hosts with AVX-512.
void hash_block(const Block& block, std::uint64_t first, std::size_t size, std::uint32_t* columns,
                std::uint32_t* negative);

}   // namespace avx512

}   // namespace hashing

}   // namespace oscar
