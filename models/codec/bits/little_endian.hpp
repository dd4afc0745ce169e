// Integers as little-endian bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// Appends the lowest `size` bytes of `value`.
inline void append_little_endian(std::vector<std::byte>& out, std::uint32_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFF));
}

/// The integer in bytes at .. at+size-1. Precondition: they exist, and size <= 4.
inline std::uint32_t little_endian(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint32_t>(bytes[at + i]);
    return value;
}

}   // namespace oscar
