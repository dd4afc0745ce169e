#include "models/nic/gradient_form.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t fp32_bytes = 4;

std::uint64_t whole_bytes(std::uint32_t bits) { return (bits + 7) / 8; }

CriticalPath kernel(const GpuParams& gpu, std::uint64_t elements, std::uint64_t word_bytes) {
    const Bytes moved{elements * (fp32_bytes + word_bytes)};
    return {.dma_ps = serialization(moved, gpu.memory_bandwidth).ps, .latency_ps = gpu.kernel_latency.ps};
}

}   // namespace

ValueBytes value_bytes(GradientForm form, const Plan& plan) {
    if (form == GradientForm::fp32) return {fp32_bytes, fp32_bytes};
    return {whole_bytes(plan.bits), whole_bytes(plan.final_width())};
}

CriticalPath gpu_kernels(const GpuParams& gpu, const Plan& plan, std::uint64_t elements) {
    CriticalPath path{.latency_ps = gpu.launch.ps};
    if (gpu.gradients == GradientForm::fp32 || plan.number == ElementType::float32) return path;
    const ValueBytes bytes = value_bytes(gpu.gradients, plan);
    path += kernel(gpu, elements, bytes.read);
    path += kernel(gpu, elements, bytes.written);
    return path;
}

CriticalPath slowest_kernels(const Nodes& nodes, const Plan& plan, std::uint64_t elements) {
    CriticalPath slowest;
    for (const NodeParams& node : nodes)
        if (const CriticalPath path = gpu_kernels(node.gpu, plan, elements); path.total_ps() > slowest.total_ps())
            slowest = path;
    return slowest;
}

}   // namespace oscar
