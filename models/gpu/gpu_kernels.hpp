// GPU kernels around an AllReduce: the time that they take before, beside and after its steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/gpu/gradient_form.hpp"
#include "models/job/job.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// The data that kernels read to plan an AllReduce: they make the classes of its values and the boundaries of its
/// chunks.
struct Planning {
    std::uint64_t values = 0;    ///< read in each pass; 0: nothing is planned
    bool remembers = false;      ///< a number per value is kept from iteration to iteration: 4 bytes read and written
    bool of_own_codes = false;   ///< the values are those of this AllReduce, so that planning cannot be hidden
    friend bool operator==(const Planning&, const Planning&) = default;
};

/// The work of kernels for an AllReduce of `elements` values.
struct KernelWork {
    std::uint64_t elements = 0;
    bool residual = false;   ///< error feedback: the last error is added to the gradient, and the new one kept
    bool scans = false;      ///< the peaks of the gradient are found, for an exchange of scales
    Planning planning = {};
};

/// The rate at which kernels move bytes: memory_efficiency of memory_bandwidth, rounded to Mbit/s, at least one.
Bandwidth kernel_bandwidth(const GpuParams& gpu);

/// Kernels of one GPU, each a launch and its reads and writes of GPU memory. Before the first step: those that find
/// peaks (`scan_passes`, 4 bytes a value each), those that plan (`plan_passes`, the same, and in the first pass what is
/// remembered) unless they are hidden, and one that makes words of fp32; where words are fp32 or the NIC makes them, it
/// runs only to add the residual, 4 bytes read and 4 written a value. Error feedback moves 8 bytes a value more.
/// Methods that send fp32 have no kernels, and none of them scans.
CriticalPath kernels_before(const GpuParams& gpu, const Plan& plan, const KernelWork& work);
/// After the last step: one that makes fp32 of the sums; none if words are fp32 or the NIC converts.
CriticalPath kernels_after(const GpuParams& gpu, const Plan& plan, std::uint64_t elements);

/// The kernels of a lossy compressor: its operations, and a launch for the first kernel and for each round, whose
/// result the next one needs. None for a compressor that computes nothing.
CriticalPath compression_kernels(const GpuParams& gpu, const ComputeCost& work);

/// The kernels of all ranks' GPUs, which take the time of the slowest node, for which all wait. With `kernels: slice`
/// there is a pair of kernels for each slice of the collective. Two streams of the GPU run them, one the kernels
/// before, the other those after, each in the order of the slices, and share no bandwidth. A slice may begin when its
/// words are there; its sums are converted at a rank when all of them are stored and the slice before is done.
class GpuKernels {
public:
    /// `gpus`: [rank]. `slices`: the values of each slice, whose sum is work.elements. `plan` must outlive it.
    GpuKernels(std::span<const GpuParams> gpus, const Plan& plan, const KernelWork& work,
               std::vector<std::uint64_t> slices);

    /// The host's launch, and the kernels without which the first slice cannot begin.
    CriticalPath before() const;
    /// Per step, when after before() its slice may begin; empty where all may at once.
    std::vector<Time> releases() const;
    /// The time from the end of the steps to the end of the last kernel.
    CriticalPath after(const Outcome& outcome) const;
    /// before() and after() together: the time that kernels add to the AllReduce.
    CriticalPath around(const Outcome& outcome) const { return before() += after(outcome); }

private:
    bool sliced() const { return slices_.size() > 1 && gpu_.kernels == KernelGrain::slice; }
    std::uint32_t slice_of(StepId step) const;

    GpuParams gpu_;
    const Plan* plan_;
    KernelWork work_;
    std::vector<std::uint64_t> slices_;
};

/// The launch and the kernels of a bucket that is converted as a whole, on the slowest of the ranks' GPUs.
CriticalPath slowest_kernels(std::span<const GpuParams> gpus, const Plan& plan, const KernelWork& work);

}   // namespace oscar
