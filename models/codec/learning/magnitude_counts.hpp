// AVX-512 histogram of magnitude rows, 64 symbols at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/codec/table/table.hpp"

namespace oscar::avx512 {

inline constexpr std::size_t symbols_per_step = 64;

/// Adds the rows of layout magnitude of symbols 0 .. size - 1.
/// Precondition: available(), size is a multiple of symbols_per_step, |symbol| < 2^15.
void count_magnitudes(const std::int32_t* symbols, std::size_t size, std::uint64_t* counts);

}   // namespace oscar::avx512
