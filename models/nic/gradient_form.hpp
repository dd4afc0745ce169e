// Form of gradients in GPU memory: bytes that DMA moves per value, and the time of the GPU kernels that convert them.
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

/// fp32: 4 each way, because the NIC converts. codes: the whole bytes that hold a word of one rank, and those that hold
/// a word of the final sum.
ValueBytes value_bytes(GradientForm form, const Plan& plan);

/// The time before and after the steps of an AllReduce of `elements` values: its launch by the host, and two kernels
/// that every rank runs, one before its first step (fp32 to words) and one after its last (words to fp32). A kernel is
/// a launch and its reads and writes of GPU memory. There are none where the NIC converts or where words are fp32.
CriticalPath gpu_kernels(const GpuParams& gpu, const Plan& plan, std::uint64_t elements);
/// Of the node that takes longest, for which all wait.
CriticalPath slowest_kernels(const Nodes& nodes, const Plan& plan, std::uint64_t elements);

}   // namespace oscar
