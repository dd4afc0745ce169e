// Machines of islands whose times can be read off.
#pragma once

#include "tests/machine/support.hpp"

namespace oscar::test {

/// Islands whose GPUs have ports: a byte takes 0.1 ns on a link inside an island, 0.05 ns through the port and 0.025 ns
/// to be added, and 1 ns on the cable of a NIC; a value takes 1 ns by DMA.
inline MachineSpec of_islands(std::uint32_t ranks, std::uint32_t island,
                              TimingFidelity fidelity = TimingFidelity::packet, std::uint32_t gpus_per_nic = 1) {
    MachineSpec spec;
    spec.ranks = ranks;
    IslandsParams islands;
    islands.island = island;
    islands.island_link = {80_Gbps, 100_ns, 64_KiB};
    islands.gpus_per_nic = gpus_per_nic;
    spec.topology = islands;
    spec.fidelity = fidelity;
    spec.network.link = {8_Gbps, 100_ns, 64_KiB};
    spec.network.switches.latency = 30_ns;
    spec.network.header = 0_B;
    spec.node.gpu.dma_bandwidth = 32_Gbps;
    spec.node.gpu.dma_latency = 70_ns;
    spec.node.gpu.island_port = IslandPortParams{160_Gbps, 50_ns, 320_Gbps};
    spec.node.nic = {.latency = 10_ns, .adders = 64, .clock = 10_GHz};
    return spec;
}

}   // namespace oscar::test
