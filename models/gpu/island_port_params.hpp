// Parameters of a GPU's port to the GPUs of its island: NVLink, Infinity Fabric.
#pragma once

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

/// Messages inside an island neither pass the NIC's engine and adders nor DMA over PCI Express: kernels of the GPU read
/// values, store them in the memory of others, and add what comes to their own. 3600 Gbps are the 450 GB/s of each
/// direction of an H100's NVLink (NVIDIA, H100 datasheet: 900 GB/s in both). The latency, of a kernel that has waited
/// for a flag until its first load is there, and the rate of additions, of the few multiprocessors that NCCL takes, are
/// assumed.
struct IslandPortParams {
    Bandwidth bandwidth = 3600_Gbps;
    Time latency = 500_ns;
    Bandwidth additions = 7200_Gbps;
    Time switch_start = 0_ps;
    static constexpr auto fields() {
        using P = IslandPortParams;
        return Entries{
            field("bandwidth", &P::bandwidth, "rate at which kernels read what they send, over all links of the port",
                  1_Mbps, 1'000'000_Gbps),
            field("latency", &P::latency, "time from the start of a step to its first values; assumed", 0_ps, 1_ms),
            field("additions", &P::additions, "rate at which kernels add received values to their own; assumed", 1_Mbps,
                  1'000'000_Gbps),
            field("switch_start", &P::switch_start,
                  "start-up of a collective in which the island's switch takes part, before the first values go to it",
                  0_ps, 1_ms),
        };
    }
    friend bool operator==(const IslandPortParams&, const IslandPortParams&) = default;
};

}   // namespace oscar
