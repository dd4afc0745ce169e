// Whole rounds of interleaved rANS, 16 lanes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/codec/table/table.hpp"

namespace oscar::avx512 {

/// Codes rows 0 .. rounds * lanes - 1, the last first; writes words from `top` downwards and moves it.
/// Precondition: available(), lanes is a multiple of `lanes_per_register`, every row has a count.
void encode_rounds(const std::uint8_t* rows, std::size_t rounds, std::size_t lanes, const Cumulative& cumulative,
                   std::uint32_t* states, std::uint16_t*& top);

/// Decodes `rounds` rounds into `rows`, or fewer if a round takes words from `end` on; moves `next`. Reads at most
/// lanes + `lanes_per_register` words from there. Precondition: as above.
void decode_rounds(std::uint8_t* rows, std::size_t rounds, std::size_t lanes, const Cumulative& cumulative,
                   std::uint32_t* states, const std::uint16_t*& next, const std::uint16_t* end);

}   // namespace oscar::avx512
