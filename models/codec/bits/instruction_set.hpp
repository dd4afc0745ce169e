// Instruction sets for which the lanes' coders are compiled. All give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/codec/bits/avx512.hpp"

namespace oscar {

enum class InstructionSet : std::uint8_t { portable, avx2, avx512 };

inline constexpr std::array instruction_sets{InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512};

constexpr std::string_view name_of(InstructionSet set) {
    constexpr std::array<std::string_view, instruction_sets.size()> names{"portable", "avx2", "avx512"};
    return names[static_cast<std::size_t>(set)];
}

/// Returns whether this host has the instructions.
inline bool available(InstructionSet set) {
    if (set == InstructionSet::portable) return true;
#if defined(__x86_64__)
    static const bool avx2 = __builtin_cpu_supports("avx2");
    return set == InstructionSet::avx2 ? avx2 : avx512::available();
#else
    return false;
#endif
}

/// Returns the widest instruction set of this host.
inline InstructionSet best_instruction_set() {
    if (available(InstructionSet::avx512)) return InstructionSet::avx512;
    return available(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::portable;
}

}   // namespace oscar
