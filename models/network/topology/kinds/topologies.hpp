// The list of topologies: a new one is a file pair (source in models/network/CMakeLists.txt) and a line here.
#pragma once

#include "models/core/kinds.hpp"
#include "models/network/topology/kinds/cable_ring.hpp"
#include "models/network/topology/kinds/dragonfly.hpp"
#include "models/network/topology/kinds/fat_tree.hpp"
#include "models/network/topology/kinds/graph.hpp"
#include "models/network/topology/kinds/hierarchical.hpp"
#include "models/network/topology/kinds/leaf_spine.hpp"
#include "models/network/topology/kinds/mesh.hpp"
#include "models/network/topology/kinds/star.hpp"
#include "models/network/topology/kinds/torus.hpp"

namespace oscar {

inline constexpr auto topologies = Entries{
    kind<StarParams>("star", "every rank on one switch"),
    kind<CableRingParams>("ring", "each rank cabled to its two neighbours, or routers that forward"),
    kind<MeshParams>("mesh", "a router per rank, in rows and columns or in more dimensions"),
    kind<TorusParams>("torus", "a mesh whose lines close to rings; needs two virtual channels"),
    kind<FatTreeParams>("fat_tree", "k-ary, of two or three levels"),
    kind<LeafSpineParams>("leaf_spine", "leaves with ranks, each cabled to all spines"),
    kind<DragonflyParams>("dragonfly", "groups of routers, all cabled to each other; needs two virtual channels"),
    kind<IslandsParams>("hierarchical", "islands of GPUs on a fast switch, NICs on rails or on one switch"),
    kind<GraphParams>("graph", "a list of links"),
};
using TopologyKind = OneOf<topologies>;

/// The graph of a kind, all links as `link` but for those the kind has its own for. Throws std::invalid_argument when
/// its sizes do not fit `ranks`.
Topology make_topology(const TopologyKind& kind, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
