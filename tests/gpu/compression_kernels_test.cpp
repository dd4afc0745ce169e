// Kernels of lossy compressors. 8 Gbit/s are a byte a ns.
#include <gtest/gtest.h>

#include "models/gpu/gpu_kernels.hpp"

namespace oscar::compression_kernels_test {
namespace {

GpuParams slow_gpu() {
    return {.kernel_latency = 5_us,
            .memory_bandwidth = 8_Gbps,
            .memory_efficiency = 1,
            .prices = {.element = 8_B,
                       .comparison = 4_B,
                       .addition = 32_B,
                       .hashes_per_ns = 4,
                       .products_per_ns = 10,
                       .draws_per_ns = 5}};
}

std::int64_t work_of(const ComputeCost& work) { return compression_kernels(slow_gpu(), work).dma_ps; }

TEST(CompressionKernels, MoveTheBytesOfTheirOperations) {
    EXPECT_EQ(work_of({.elements = 1000}), 8'000'000);
    EXPECT_EQ(work_of({.comparisons = 1000}), 4'000'000);
    EXPECT_EQ(work_of({.additions = 1000}), 32'000'000);
    EXPECT_EQ(work_of({.elements = 10, .comparisons = 20, .additions = 30}), (80 + 80 + 960) * 1000);
}

TEST(CompressionKernels, ComputeAtTheRatesOfTheirKinds) {
    EXPECT_EQ(work_of({.hashes = 1000}), 250'000);
    EXPECT_EQ(work_of({.multiplications = 1000}), 100'000);
    EXPECT_EQ(work_of({.draws = 1000}), 200'000);
    EXPECT_EQ(work_of({.elements = 1, .hashes = 4, .multiplications = 10, .draws = 5}), 8'000 + 3'000);
}

TEST(CompressionKernels, MoveBytesAtAShareOfTheBandwidthOfTheMemory) {
    GpuParams gpu = slow_gpu();
    gpu.memory_efficiency = 0.5;
    EXPECT_EQ(compression_kernels(gpu, {.elements = 1000}).dma_ps, 2 * work_of({.elements = 1000}));
    EXPECT_EQ(compression_kernels(gpu, {.hashes = 1000}).dma_ps, work_of({.hashes = 1000}));
}

TEST(CompressionKernels, AreLaunchedOnceAndAgainForEachRound) {
    EXPECT_EQ(compression_kernels(slow_gpu(), {.elements = 1}).latency_ps, (5_us).ps);
    EXPECT_EQ(compression_kernels(slow_gpu(), {.elements = 1, .rounds = 3}).latency_ps, (20_us).ps);
    EXPECT_EQ(compression_kernels(slow_gpu(), {}), CriticalPath{});
}

}   // namespace
}   // namespace oscar::compression_kernels_test
