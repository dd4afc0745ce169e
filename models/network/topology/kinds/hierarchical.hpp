// Islands of GPUs on a fast switch of their own, each GPU with a NIC on a network between islands.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct IslandsParams {
    std::uint32_t island = 8;
    LinkChange island_link = {3600_Gbps, 100_ns, {}};
    bool rails = true;
    std::uint32_t spines = 1;
    std::uint32_t gpus_per_nic = 1;
    /// Of the first `gpus` ranks of an island.
    std::uint32_t nics_of(std::uint32_t gpus) const { return (gpus + gpus_per_nic - 1) / gpus_per_nic; }
    static constexpr auto fields() {
        return Entries{
            field("island", &IslandsParams::island, "ranks on an island; the last may have fewer", 1u, 4096u),
            field("island_link", &IslandsParams::island_link,
                  "parameters of the link between a rank and its island's switch"),
            field("rails", &IslandsParams::rails,
                  "one switch for the i-th NICs of all islands, for each i; else one for all NICs"),
            field("spines", &IslandsParams::spines,
                  "switches that join the rails, with a cable to each; 0: no path between rails", 0u, 1024u),
            field("gpus_per_nic", &IslandsParams::gpus_per_nic,
                  "neighbouring ranks of an island that share a NIC: its cable, its DMA, engine and adders (with "
                  "gpu.island_port)",
                  1u, 64u),
        };
    }
};

/// Switches: islands, then rails (or the one for all), then spines. Inside an island packets take its switch. Ranks
/// that share a NIC send by the cable of the first of them.
Topology make_topology(const IslandsParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
