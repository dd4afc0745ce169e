// Randomised Hadamard transform, which spreads a vector's energy evenly over its elements.
#pragma once

#include <cstdint>
#include <span>

namespace oscar {

/// Hadamard transform of each block of `block` elements, a power of two that divides their number, scaled to be
/// orthonormal. Laws, but for rounding: it keeps the norm, and twice it is the identity.
void hadamard(std::span<float> values, std::size_t block);

/// Turns the signs of half the elements, those that the stream `key` draws. Law: twice it is the identity.
void flip_signs(std::span<float> values, std::uint64_t key);

/// Random signs, then the transform. Source: Suresh et al., ICML 2017, section 3.
void rotate(std::span<float> values, std::size_t block, std::uint64_t key);
/// Inverse of rotate, but for rounding.
void rotate_back(std::span<float> values, std::size_t block, std::uint64_t key);

}   // namespace oscar
