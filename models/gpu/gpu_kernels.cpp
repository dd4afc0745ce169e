#include "models/gpu/gpu_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oscar {
namespace {

CriticalPath kernel(const GpuParams& gpu, std::uint64_t bytes) {
    return {.dma_ps = serialization(Bytes{bytes}, kernel_bandwidth(gpu)).ps, .latency_ps = gpu.kernel_latency.ps};
}

bool converts(const GpuParams& gpu, const Plan& plan) {
    return gpu.gradients == GradientForm::codes && plan.element_type != ElementType::float32;
}

CriticalPath conversion(const GpuParams& gpu, const Plan& plan, const KernelWork& work) {
    if (plan.element_type == ElementType::float32 || !(converts(gpu, plan) || work.residual)) return {};
    const std::uint64_t word = converts(gpu, plan) ? value_bytes(gpu.gradients, plan).read : fp32_bytes;
    return kernel(gpu, work.elements * (fp32_bytes + word + (work.residual ? 2 * fp32_bytes : 0)));
}

CriticalPath scan(const GpuParams& gpu, const Plan& plan, const KernelWork& work) {
    CriticalPath path;
    for (std::uint32_t i = 0; work.scans && plan.element_type == ElementType::integer && i < gpu.scan_passes; ++i)
        path += kernel(gpu, work.elements * fp32_bytes);
    return path;
}

CriticalPath planning(const GpuParams& gpu, const Planning& work) {
    CriticalPath path;
    if (work.values == 0 || (gpu.planning == Exposure::hidden && !work.of_own_codes)) return path;
    for (std::uint32_t i = 0; i < gpu.plan_passes; ++i)
        path += kernel(gpu, work.values * (i == 0 && work.remembers ? 3 : 1) * fp32_bytes);
    return path;
}

CriticalPath all_kernels(const GpuParams& gpu, const Plan& plan, const KernelWork& work) {
    CriticalPath path{.latency_ps = gpu.launch.ps};
    path += kernels_before(gpu, plan, work);
    path += kernels_after(gpu, plan, work.elements);
    return path;
}

const GpuParams& slowest(std::span<const GpuParams> gpus, const Plan& plan, const KernelWork& work) {
    return *std::ranges::max_element(gpus, {},
                                     [&](const GpuParams& gpu) { return all_kernels(gpu, plan, work).total_ps(); });
}

}   // namespace

Bandwidth kernel_bandwidth(const GpuParams& gpu) {
    const double mbps = static_cast<double>(gpu.memory_bandwidth.mbps) * gpu.memory_efficiency;
    return {static_cast<std::uint64_t>(std::max(1LL, std::llround(mbps)))};
}

CriticalPath kernels_before(const GpuParams& gpu, const Plan& plan, const KernelWork& work) {
    CriticalPath path = scan(gpu, plan, work);
    path += planning(gpu, work.planning);
    return path += conversion(gpu, plan, work);
}

CriticalPath kernels_after(const GpuParams& gpu, const Plan& plan, std::uint64_t elements) {
    if (!converts(gpu, plan)) return {};
    return kernel(gpu, elements * (value_bytes(gpu.gradients, plan).written + fp32_bytes));
}

CriticalPath compression_kernels(const GpuParams& gpu, const ComputeCost& work) {
    if (work == ComputeCost{}) return {};
    const KernelPrices& prices = gpu.prices;
    const std::uint64_t bytes = work.elements * prices.element.count + work.comparisons * prices.comparison.count +
                                work.additions * prices.addition.count;
    const double arithmetic_ns = static_cast<double>(work.hashes) / prices.hashes_per_ns +
                                 static_cast<double>(work.multiplications) / prices.products_per_ns +
                                 static_cast<double>(work.draws) / prices.draws_per_ns;
    const auto launches = static_cast<std::int64_t>(1 + work.rounds);
    return {.dma_ps = serialization(Bytes{bytes}, kernel_bandwidth(gpu)).ps + std::llround(arithmetic_ns * 1000),
            .latency_ps = launches * gpu.kernel_latency.ps};
}

CriticalPath slowest_kernels(std::span<const GpuParams> gpus, const Plan& plan, const KernelWork& work) {
    return all_kernels(slowest(gpus, plan, work), plan, work);
}

GpuKernels::GpuKernels(std::span<const GpuParams> gpus, const Plan& plan, const KernelWork& work,
                       std::vector<std::uint64_t> slices)
    : gpu_(slowest(gpus, plan, work)), plan_(&plan), work_(work), slices_(std::move(slices)) {}

std::uint32_t GpuKernels::slice_of(StepId step) const {
    const auto chunks = plan_->schedule.chunks / static_cast<std::uint32_t>(slices_.size());
    return plan_->schedule.steps[step.value].chunk.value / chunks;
}

CriticalPath GpuKernels::before() const {
    CriticalPath path{.latency_ps = gpu_.launch.ps};
    if (!sliced()) return path += kernels_before(gpu_, *plan_, work_);
    path += scan(gpu_, *plan_, work_);
    path += planning(gpu_, work_.planning);
    return path += conversion(gpu_, *plan_, {slices_.front(), work_.residual});
}

std::vector<Time> GpuKernels::releases() const {
    if (!sliced() || conversion(gpu_, *plan_, work_) == CriticalPath{}) return {};
    std::vector<Time> of_slice(slices_.size());
    for (std::size_t k = 1; k < slices_.size(); ++k)
        of_slice[k] = of_slice[k - 1] + Time{conversion(gpu_, *plan_, {slices_[k], work_.residual}).total_ps()};
    std::vector<Time> releases(plan_->schedule.steps.size());
    for (StepId id; id.value < releases.size(); ++id.value) releases[id.value] = of_slice[slice_of(id)];
    return releases;
}

CriticalPath GpuKernels::after(const Outcome& outcome) const {
    if (!sliced()) return kernels_after(gpu_, *plan_, work_.elements);
    const std::uint32_t participants = plan_->schedule.participants();
    std::vector<Time> stored(slices_.size() * participants);
    for (StepId id; id.value < outcome.steps.size(); ++id.value) {
        Time& last = stored[slice_of(id) * participants + plan_->schedule.steps[id.value].to.value];
        last = std::max(last, outcome.steps[id.value].stored);
    }
    std::vector<Time> done(participants);
    for (std::size_t k = 0; k < slices_.size(); ++k)
        for (std::uint32_t r = 0; r < participants; ++r)
            done[r] = std::max(done[r], stored[k * participants + r]) +
                      Time{kernels_after(gpu_, *plan_, slices_[k]).total_ps()};
    const Time last = *std::ranges::max_element(done);
    if (last <= outcome.finish) return {};
    const std::int64_t latency = std::min((last - outcome.finish).ps, gpu_.kernel_latency.ps);
    return {.dma_ps = (last - outcome.finish).ps - latency, .latency_ps = latency};
}

}   // namespace oscar
