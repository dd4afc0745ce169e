// Form of gradients in GPU memory: bytes that DMA moves per value.
#pragma once

#include "models/collective/endpoint/rank_state.hpp"
#include "models/gpu/gpu_params.hpp"

namespace oscar {

inline constexpr std::uint64_t fp32_bytes = 4;

/// Bytes that DMA moves for one value: local values and operands in, final sums out.
struct ValueBytes {
    std::uint64_t read = fp32_bytes, written = fp32_bytes;
    friend bool operator==(ValueBytes, ValueBytes) = default;
};

/// fp32: 4 in each direction, because the NIC converts. codes: the whole bytes that hold a word of one rank, and those
/// that hold a word of the final sum.
ValueBytes value_bytes(GradientForm form, const Plan& plan);

}   // namespace oscar
