// A dragonfly: groups of routers that are all cabled to each other, and groups likewise.
// Source: Kim, Dally, Scott, Abts, ISCA 2008, section 3.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct DragonflyParams {
    std::uint32_t groups = 0, routers = 0, hosts = 0, links = 0;
    LinkChange global_link = {};
    static constexpr auto fields() {
        return Entries{
            field("groups", &DragonflyParams::groups, "number of groups; 0: the fewest that hold all ranks", 0u, 4096u),
            field("routers", &DragonflyParams::routers, "routers of a group; 0: twice hosts", 0u, 1024u),
            field("hosts", &DragonflyParams::hosts, "ranks of a router; 0: the fewest that suffice", 0u, 1024u),
            field("links", &DragonflyParams::links, "global links of a router; 0: hosts", 0u, 1024u),
            field("global_link", &DragonflyParams::global_link, "parameters of the links between groups"),
        };
    }
};

/// Each pair of groups has floor(routers * links / (groups - 1)) cables, dealt to the routers in order. A path uses as
/// few global links as possible: one, with a local one on either side where its routers have no global link there.
/// Global links are datelines. Ranks fill the routers in order.
Topology make_topology(const DragonflyParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
