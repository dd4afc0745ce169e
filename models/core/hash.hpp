// FNV-1a over bytes: identity of tables, which goes into messages, and of golden bytes. Not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace oscar {

inline constexpr std::uint64_t fnv_prime = 1099511628211ULL;

/// Continues the hash `state` over `bytes`. The default start is the one of the golden vectors of the coder.
constexpr std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t state = 1469598103934665603ULL) {
    for (const std::byte b : bytes) state = (state ^ static_cast<std::uint64_t>(b)) * fnv_prime;
    return state;
}

}   // namespace oscar
