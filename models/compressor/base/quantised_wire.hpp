// Sizes of quantised messages, and the exchanges that carry them.
#pragma once

#include <bit>
#include <string>

#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// Bytes of `elements` codes of `bits` each, packed.
constexpr std::uint64_t packed_bytes(std::uint64_t elements, std::uint64_t bits) { return (elements * bits + 7) / 8; }

/// Bits of an integer in [-largest, largest].
constexpr std::uint64_t signed_bits(std::uint64_t largest) { return std::bit_width(2 * largest); }

}   // namespace oscar
