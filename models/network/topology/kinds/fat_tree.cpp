#include "models/network/topology/kinds/fat_tree.hpp"

#include <stdexcept>
#include <string>

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

std::uint32_t edge_switches(const FatTreeParams& p) { return p.levels == 2 ? p.k : p.k * p.k / 2; }
std::uint64_t room(const FatTreeParams& p) { return std::uint64_t{edge_switches(p)} * p.oversubscription * (p.k / 2); }

/// Which k is meant.
FatTreeParams sized(FatTreeParams p, std::uint32_t ranks) {
    if (p.k % 2 != 0)
        throw std::invalid_argument("half of the ports of a fat tree's switch go up, but k is " + std::to_string(p.k) +
                                    "; choose an even number");
    FatTreeParams smallest = p;
    for (smallest.k = 2; room(smallest) < ranks;) smallest.k += 2;
    if (p.k == 0) return smallest;
    if (room(p) < ranks) refuse_size(room(p), ranks, "raise k to " + std::to_string(smallest.k) + ", or leave it at 0");
    return p;
}

void cable_all(Topology& topology, std::uint32_t first_low, std::uint32_t lows, std::uint32_t first_high,
               std::uint32_t highs, const LinkParams& link) {
    for (std::uint32_t low = 0; low < lows; ++low)
        for (std::uint32_t high = 0; high < highs; ++high)
            topology.cable(topology.switch_node(first_low + low), topology.switch_node(first_high + high), link);
}

}   // namespace

Topology make_topology(const FatTreeParams& params, std::uint32_t ranks, const LinkParams& link) {
    const FatTreeParams p = sized(params, ranks);
    const std::uint32_t half = p.k / 2, edges = edge_switches(p), cores = p.levels == 2 ? half : half * half;
    Topology topology{ranks, p.levels == 2 ? edges + cores : 2 * edges + cores};
    for (std::uint32_t r = 0; r < ranks; ++r)
        topology.cable(node_of(Rank{r}), topology.switch_node(r / (p.oversubscription * half)), link);
    if (p.levels == 2) {
        cable_all(topology, 0, edges, edges, cores, link);
        return topology;
    }
    for (std::uint32_t pod = 0; pod < p.k; ++pod) {
        cable_all(topology, pod * half, half, edges + pod * half, half, link);
        for (std::uint32_t a = 0; a < half;
             ++a)   // the a-th aggregation switch of each pod has the a-th group of cores
            cable_all(topology, edges + pod * half + a, 1, 2 * edges + a * half, half, link);
    }
    return topology;
}

}   // namespace oscar
