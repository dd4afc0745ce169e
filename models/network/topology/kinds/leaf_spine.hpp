// Leaves with ranks, each cabled to all spines.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct LeafSpineParams {
    std::uint32_t leaves = 0, hosts = 0, spines = 0, links = 1, oversubscription = 1;
    LinkChange spine_link = {};
    static constexpr auto fields() {
        return Entries{
            field("leaves", &LeafSpineParams::leaves, "number of leaves; 0: derived from `ranks` and hosts", 0u, 4096u),
            field("hosts", &LeafSpineParams::hosts, "ranks of a leaf; 0: derived from `ranks` and leaves", 0u, 4096u),
            field("spines", &LeafSpineParams::spines, "number of spines; 0: the fewest that oversubscription allows",
                  0u, 4096u),
            field("links", &LeafSpineParams::links, "parallel cables between a leaf and a spine", 1u, 64u),
            field("oversubscription", &LeafSpineParams::oversubscription,
                  "most ranks per uplink of a leaf, where spines is 0", 1u, 64u),
            field("spine_link", &LeafSpineParams::spine_link, "parameters of the links between leaf and spine"),
        };
    }
};

/// Ranks fill the leaves in order. Leaves are numbered before spines.
Topology make_topology(const LeafSpineParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
