// Parameters of the PCI Express switch between GPUs and their NICs.
#pragma once

#include <cstdint>
#include <optional>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

/// Neighbouring GPUs on one PCI Express switch, each on a link of its own. NICs on the same switch, whose links have
/// gpu.dma_bandwidth, reach their GPUs from port to port: the switch is non-blocking. Where NICs are on the other side
/// of the switch's uplink, at the processor, its GPUs share that link: reads by NICs take one direction of it, writes
/// the other. 461 Gbps are PCI Express 5.0 x16 net of headers (GpuParams). No latency of such a switch is published for
/// the machines by name, and gpu.dma_latency contains it by default.
struct PcieSwitchParams {
    std::uint32_t gpus = 2;
    Bandwidth gpu_bandwidth = 461_Gbps;
    std::optional<Bandwidth> uplink = {};
    Time latency = 0_ps;
    static constexpr auto fields() {
        using P = PcieSwitchParams;
        return Entries{
            field("gpus", &P::gpus, "neighbouring GPUs on one switch", 1u, 64u),
            field("gpu_bandwidth", &P::gpu_bandwidth,
                  "rate of each direction of a GPU's link to the switch, which counts the bytes that gpu.dma_bandwidth "
                  "counts",
                  1_Mbps, 100'000_Gbps),
            field("uplink", &P::uplink,
                  "rate of each direction of the link to NICs that the GPUs share; null: NICs are on the switch, and "
                  "nothing is shared",
                  1_Mbps, 100'000_Gbps),
            field("latency", &P::latency,
                  "time of a packet through the switch, beside gpu.dma_latency: a read takes it twice, a write once",
                  0_ps, 1_ms),
        };
    }
    friend bool operator==(const PcieSwitchParams&, const PcieSwitchParams&) = default;
};

}   // namespace oscar
