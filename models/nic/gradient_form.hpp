// How gradients stand in GPU memory for the NIC: what DMA moves of each value, and what making that form costs the GPU.
#pragma once

#include "models/collective/endpoint/rank_state.hpp"
#include "models/nic/node.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// Bytes that DMA moves for one value: local values and operands in, final sums out.
struct ValueBytes {
    std::uint64_t read = 4, written = 4;
    friend bool operator==(ValueBytes, ValueBytes) = default;
};

/// fp32: 4 each way, for the NIC converts. codes: the whole bytes that hold a word of one rank and one of the final
/// sum.
ValueBytes value_bytes(GradientForm form, const Plan& plan);

/// What goes before and after the steps of an AllReduce: its launch by the host, and the two kernels of an AllReduce of
/// `elements` values take, one before its first step and one after its last, which every rank runs: a launch, then fp32
/// in and words out of GPU memory, and back. No kernels where the NIC converts and where words are fp32.
CriticalPath gpu_kernels(const GpuParams& gpu, const Plan& plan, std::uint64_t elements);
/// Of the node that takes longest, for which all wait.
CriticalPath slowest_kernels(const Nodes& nodes, const Plan& plan, std::uint64_t elements);

}   // namespace oscar
