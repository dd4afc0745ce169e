// Rates of the two channels of DMA over PCI Express.
#pragma once

#include "models/gpu/gpu_params.hpp"
#include "models/timing/channel_rate.hpp"

namespace oscar {

/// Writes are packets of dma_payload bytes at most, each with dma_header (PCI Express Base Specification 5.0, section
/// 2.2), and wait for nothing.
inline ChannelRate write_rate(const GpuParams& gpu) {
    ChannelRate rate(gpu.dma_bandwidth);
    if (!gpu.dma_payload) return rate;
    rate.payload = *gpu.dma_payload;
    rate.header = gpu.dma_header;
    return rate;
}

/// Reads come as such packets, too. With dma_reads requests under way one may follow as soon as one is answered, so
/// that in the mean a request of dma_request bytes needs (dma_latency + the time of its packets) / dma_reads. A burst
/// after a pause is faster than that by up to dma_reads requests, which is left out.
inline ChannelRate read_rate(const GpuParams& gpu) {
    ChannelRate rate = write_rate(gpu);
    if (!gpu.dma_payload || !gpu.dma_reads) return rate;
    const auto reads = static_cast<std::int64_t>(*gpu.dma_reads);
    const Time answered = gpu.dma_latency + rate.time_of(gpu.dma_request);
    rate.request = gpu.dma_request;
    rate.between = Time{(answered.ps + reads - 1) / reads};
    return rate;
}

/// The rate of long transfers in the slower direction, net of headers.
inline Bandwidth net_dma_bandwidth(const GpuParams& gpu) {
    return std::min(read_rate(gpu).net(), write_rate(gpu).net());
}

}   // namespace oscar
