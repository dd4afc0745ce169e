// Rates and latencies of the two channels of DMA over PCI Express.
#pragma once

#include <algorithm>

#include "models/gpu/gpu_params.hpp"
#include "models/timing/channel_rate.hpp"

namespace oscar {

/// The rate of each direction between a NIC and its GPU, where no other transfers: the slowest link on the way decides.
inline Bandwidth dma_link_rate(const GpuParams& gpu) {
    if (!gpu.pcie_switch) return gpu.dma_bandwidth;
    const Bandwidth links = std::min(gpu.dma_bandwidth, gpu.pcie_switch->gpu_bandwidth);
    return std::min(links, gpu.pcie_switch->uplink.value_or(links));
}

/// True if the transfers of several NICs can be slower than those of one: they share an uplink that is not as fast as
/// all of them.
inline bool shares_uplink(const GpuParams& gpu) {
    const auto& pcie = gpu.pcie_switch;
    return pcie && pcie->uplink && pcie->uplink->mbps < pcie->gpus * dma_link_rate(gpu).mbps;
}

/// From the request of a read until its first byte: request and answer pass the switch.
inline Time read_latency(const GpuParams& gpu) {
    return gpu.dma_latency + (gpu.pcie_switch ? 2 * gpu.pcie_switch->latency : Time{});
}

/// From a write in the NIC until it is in GPU memory.
inline Time write_latency(const GpuParams& gpu) {
    return gpu.dma_latency + (gpu.pcie_switch ? gpu.pcie_switch->latency : Time{});
}

/// Writes are packets of dma_payload bytes at most, each with dma_header (PCI Express Base Specification 5.0, section
/// 2.2), and wait for nothing.
inline ChannelRate write_rate(const GpuParams& gpu) {
    ChannelRate rate(dma_link_rate(gpu));
    if (!gpu.dma_payload) return rate;
    rate.payload = *gpu.dma_payload;
    rate.header = gpu.dma_header;
    return rate;
}

/// Reads come as such packets, too. With dma_reads requests under way one may follow as soon as one is answered, so
/// that in the mean a request of dma_request bytes needs (read_latency + the time of its packets) / dma_reads. A burst
/// after a pause is faster than that by up to dma_reads requests, which is left out.
inline ChannelRate read_rate(const GpuParams& gpu) {
    ChannelRate rate = write_rate(gpu);
    if (!gpu.dma_payload || !gpu.dma_reads) return rate;
    const auto reads = static_cast<std::int64_t>(*gpu.dma_reads);
    const Time answered = read_latency(gpu) + rate.time_of(gpu.dma_request);
    rate.request = gpu.dma_request;
    rate.between = Time{(answered.ps + reads - 1) / reads};
    return rate;
}

/// The rate of long transfers in the slower direction, net of headers, where no other NIC transfers.
inline Bandwidth net_dma_bandwidth(const GpuParams& gpu) {
    return std::min(read_rate(gpu).net(), write_rate(gpu).net());
}

}   // namespace oscar
