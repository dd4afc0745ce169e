// Parameters of a GPU: its memory, DMA and conversion kernels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"
#include "models/gpu/coding_kernel_params.hpp"
#include "models/gpu/island_port_params.hpp"
#include "models/gpu/pcie_switch_params.hpp"
#include "models/timing/exposure.hpp"

namespace oscar {

using namespace literals;

/// The form of gradients and their sums in GPU memory.
enum class GradientForm : std::uint8_t { fp32, codes, words };
constexpr auto choices(GradientForm) {
    return std::array{
        Choice{"fp32", GradientForm::fp32,
               "4 bytes a value: the NIC quantises as it reads and dequantises as it writes"},
        Choice{"codes", GradientForm::codes,
               "whole bytes of a code, a bfloat16 or a final sum: GPU kernels convert before and after"},
        Choice{"words", GradientForm::words, "the bf16 or fp8 that the GPU computes with: nothing converts"}};
}

/// The part of a bucket that a kernel converts.
enum class KernelGrain : std::uint8_t { bucket, slice };
constexpr auto choices(KernelGrain) {
    return std::array{Choice{"bucket", KernelGrain::bucket, "all of it before the first step, and all after the last"},
                      Choice{"slice", KernelGrain::slice,
                             "a slice of the collective, one after the other, while others are being sent"}};
}

/// Where what NICs receive is added, and where it waits to be sent on.
enum class Staging : std::uint8_t { nic, gpu };
constexpr auto choices(Staging) {
    return std::array{
        Choice{"nic", Staging::nic, "in the NIC: its adders or engine read one's own values by DMA"},
        Choice{"gpu", Staging::gpu,
               "in GPU memory, as NCCL does with GPUDirect: DMA writes every message, kernels add it, and "
               "DMA reads what is sent"}};
}

/// Prices of what lossy compressors do, beside the launches: bytes that an operation moves, over the bandwidth that
/// kernels reach, or its rate where arithmetic limits it. Estimated from the bytes and instructions of a kernel that
/// keeps the whole GPU busy; scripts/calibrate_gpu measures them on a GPU.
struct KernelPrices {
    Bytes element = 8_B, comparison = 4_B, addition = 32_B;
    double hashes_per_ns = 100, products_per_ns = 16'500, draws_per_ns = 100;
    static constexpr auto fields() {
        using P = KernelPrices;
        return Entries{
            field("element", &P::element, "memory traffic of an element that a pass reads and writes", 0_B, 1_KiB),
            field("comparison", &P::comparison, "memory traffic of a comparison of a selection", 0_B, 1_KiB),
            field("addition", &P::addition,
                  "memory traffic of an addition into a sketch, residual or sum: a random access", 0_B, 1_KiB),
            field("hashes_per_ns", &P::hashes_per_ns, "hashes in a nanosecond, of some 20 integer instructions each",
                  1e-6, 1e9),
            field("products_per_ns", &P::products_per_ns,
                  "multiplications of products and transforms in a nanosecond: half of 33 TFLOP/s", 1e-6, 1e9),
            field("draws_per_ns", &P::draws_per_ns,
                  "random numbers in a nanosecond, of some 20 integer instructions each", 1e-6, 1e9),
        };
    }
    friend bool operator==(const KernelPrices&, const KernelPrices&) = default;
};

/// Direct memory access to GPU memory: one read and one write channel, each serving its requests in order; and the
/// price list of all kernels of the GPU: their bytes over a share of the bandwidth of its memory, and a launch each.
/// Rates of channels with packets and requests: models/gpu/dma_rates.hpp.
/// 461 Gbps are PCI Express 5.0 x16 net of the headers of its packets (configs/parts/pcie5-x16.yaml). 26.8 Tbps are the
/// 3.35 TB/s of an H100 SXM (NVIDIA, datasheet). The share and the launch are assumed: copies and triads of large
/// arrays reach about 0.9 on an A100 or H100, and kernels that also count or convert somewhat less; a launch that waits
/// behind others in a stream takes 2 to 4 us, one whose result the host waits for 7 to 10 us.
struct GpuParams {
    Bandwidth dma_bandwidth = 461_Gbps;
    Time dma_latency = 700_ns;
    std::optional<Bytes> dma_payload = {};
    Bytes dma_header = 24_B;
    std::optional<std::uint32_t> dma_reads = {};
    Bytes dma_request = 512_B;
    GradientForm gradients = GradientForm::fp32;
    Time launch = 0_ps;
    Time kernel_latency = 5_us;
    Bandwidth memory_bandwidth = 26'800_Gbps;
    double memory_efficiency = 0.85;
    KernelGrain kernels = KernelGrain::bucket;
    std::uint32_t scan_passes = 2;
    std::uint32_t plan_passes = 2;
    Exposure planning = Exposure::hidden;
    KernelPrices prices = {};
    std::optional<IslandPortParams> island_port = {};
    Staging staging = Staging::nic;
    std::optional<PcieSwitchParams> pcie_switch = {};
    std::optional<CodingKernelParams> coding = {};
    static constexpr auto fields() {
        return Entries{
            field("dma_bandwidth", &GpuParams::dma_bandwidth,
                  "DMA bandwidth of each direction, net of packet headers; PCIe 5.0 x16 has 461 of its 504 Gbps with "
                  "payloads of 256 bytes",
                  1_Mbps, 100'000_Gbps),
            field("dma_latency", &GpuParams::dma_latency, "time from request to first byte", 0_ps, 1_ms),
            field("dma_payload", &GpuParams::dma_payload,
                  "most payload of a packet of PCI Express; dma_bandwidth is then that of packets with their headers; "
                  "null: it is net of headers",
                  1_B, 64_KiB),
            field("dma_header", &GpuParams::dma_header, "bytes beside the payload of a packet, with dma_payload", 0_B,
                  1_KiB),
            field("dma_reads", &GpuParams::dma_reads,
                  "read requests under way at a time, with dma_payload; each takes dma_latency and the time of its "
                  "bytes; null: any number",
                  1u, 65'536u),
            field("dma_request", &GpuParams::dma_request, "most bytes that a read request asks for, with dma_reads",
                  1_B, 64_KiB),
            field("launch", &GpuParams::launch, "time of the host's launch of the collective, before its first step",
                  0_ps, 1_ms),
            field("gradients", &GpuParams::gradients, "format of gradients in GPU memory"),
            field("kernel_latency", &GpuParams::kernel_latency,
                  "launch and tail of each kernel, also of lossy methods in training; assumed", 0_ps, 1_ms),
            field("memory_bandwidth", &GpuParams::memory_bandwidth,
                  "peak bandwidth of GPU memory, reads and writes together", 1_Mbps, 1'000'000_Gbps),
            field("memory_efficiency", &GpuParams::memory_efficiency,
                  "share of memory_bandwidth that kernels reach, also of lossy methods in training; assumed", 0.01,
                  1.0),
            field("kernels", &GpuParams::kernels, "part of a bucket that a kernel converts"),
            field("scan_passes", &GpuParams::scan_passes,
                  "passes of a kernel over the gradient that find its peaks before an exchange of scales; 0: they cost "
                  "nothing",
                  0u, 16u),
            field(
                "plan_passes", &GpuParams::plan_passes,
                "passes of a kernel over earlier sums that make classes of values and costs of blocks, where a method "
                "has classes or chunks by cost; 0: they cost nothing",
                0u, 16u),
            field("planning", &GpuParams::planning,
                  "time of the plan_passes; chunks of kind leader need the gradient and are always exposed"),
            field("prices", &GpuParams::prices, "prices of what lossy compressors do"),
            field("island_port", &GpuParams::island_port,
                  "port to the other GPUs of an island (NVLink); null: what they send each other passes NIC and DMA"),
            field("staging", &GpuParams::staging, "where what NICs receive is added and waits to be sent on"),
            field("pcie_switch", &GpuParams::pcie_switch,
                  "PCI Express switch between GPUs and their NICs; null: each NIC has its own link to its GPU"),
            field("coding", &GpuParams::coding, "kernels that code messages, with engine.place: gpu; null: none"),
        };
    }
    friend bool operator==(const GpuParams&, const GpuParams&) = default;
};

}   // namespace oscar
