// Form of gradients in GPU memory: bytes that DMA moves per value.
#pragma once

#include "models/collective/endpoint/rank_state.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {

inline constexpr std::uint64_t fp32_bytes = 4;

/// Bytes that DMA moves for one value: local values and operands in, final sums out.
struct ValueBytes {
    std::uint64_t read = fp32_bytes, written = fp32_bytes;
    friend bool operator==(ValueBytes, ValueBytes) = default;
};

inline std::uint64_t whole_bytes(std::uint32_t bits) { return (bits + 7) / 8; }

/// fp32: 4 in each direction, because the NIC converts. codes, words: the whole bytes that hold a word of one rank, and
/// those that hold a word of the final sum.
inline ValueBytes value_bytes(GradientForm form, const Plan& plan) {
    if (form == GradientForm::fp32) return {fp32_bytes, fp32_bytes};
    return {whole_bytes(plan.bits), whole_bytes(plan.final_width())};
}

/// Bytes of a word that is the sum of `addends` ranks' values, where such sums are in GPU memory.
inline std::uint64_t sum_bytes(GradientForm form, const Plan& plan, std::uint32_t addends) {
    if (form == GradientForm::fp32) return fp32_bytes;
    return whole_bytes(plan.element_type == ElementType::integer ? widened_bits(plan.bits, addends) : plan.bits);
}

}   // namespace oscar
