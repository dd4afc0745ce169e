// Run-length coder for mostly-zero groups of 64 symbols: two bits for an all-zero group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Symbols of one initiation slot of a lane, and of one tag.
inline constexpr std::size_t zero_group = 64;

/// Where the exceptions (symbols other than zero) are; their values travel elsewhere. Per group of 64, the last one
/// shorter: 0 0, all zero; 0 1, one exception, and its position in 6 bits; 1 0, a bitmap of the group. Filled to a
/// byte. Appends to `out` and returns the work: a sub-stream takes one group a slot.
CodingCost append_zero_runs(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t sub_streams);

/// The work of append_zero_runs(), whose offset_bits are the bits that it would append before the padding.
CodingCost zero_runs_work(std::span<const Symbol> symbols, std::uint32_t sub_streams);

/// Result of read_zero_runs().
struct ZeroRuns {
    std::vector<std::uint32_t> exceptions;   ///< ascending positions
    CodingCost work;
};
/// Reads the runs of `symbols` symbols. Throws CorruptStream unless `bytes` are exactly what append_zero_runs makes of
/// some symbols.
ZeroRuns read_zero_runs(std::span<const std::byte> bytes, std::size_t symbols, std::uint32_t sub_streams);

}   // namespace oscar
