// A k-ary fat tree. Source: Al-Fares, Loukissas, Vahdat, SIGCOMM 2008, section 3.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct FatTreeParams {
    std::uint32_t k = 0, levels = 3, oversubscription = 1;
    static constexpr auto fields() {
        return Entries{
            field("k", &FatTreeParams::k,
                  "ports of a switch, an even number, half of them upwards; 0: the smallest that holds all ranks", 0u,
                  128u),
            field("levels", &FatTreeParams::levels, "levels of switches", 2u, 3u),
            field("oversubscription", &FatTreeParams::oversubscription, "ranks per uplink of an edge switch", 1u, 64u),
        };
    }
};

/// Three levels: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores. Two: k edge switches, k/2 cores. An
/// edge switch has oversubscription * k/2 ranks, and ranks fill the edge switches in order; the rest stays empty.
/// Switches are numbered from the edge to the cores.
Topology make_topology(const FatTreeParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
