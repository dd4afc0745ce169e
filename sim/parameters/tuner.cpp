#include "sim/parameters/tuner.hpp"

#include <algorithm>

#include "models/predict/predictors.hpp"

namespace oscar {
namespace {

/// The parameters that a tuned machine takes from NCCL.
struct Tuned {
    Collective collective;
    Time base;
    NcclHop hop;
    Bandwidth rate;
};

Tuned ring_machine(const Parameters& p, NcclProtocol protocol) {
    RingParams steps;
    steps.issue = Issue::dependency;
    const NcclRing ring = ring_of(*p.tuner, p.ranks, protocol);
    return {steps, ring.base, ring.hop, rate_of(*p.tuner, p.ranks, NcclAlgorithm::ring, protocol, *p.size)};
}

Tuned tree_machine(const Parameters& p, NcclProtocol protocol) {
    DoubleBinaryTreeParams steps;
    steps.issue = Issue::dependency;
    steps.slices = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(tree_chunks(*p.tuner, p.ranks, protocol, *p.size), most_slices));
    steps.island = p.tuner->ranks_per_node;
    const NcclTree tree = tree_of(*p.tuner, p.ranks, protocol, *p.size);
    return {steps, tree.base, tree.hop, tree.rate};
}

/// A hop's latency, shared among its links.
Time per_link(Time hop, std::int64_t links) { return {hop.ps / links}; }

/// One node: all ranks on a switch, or each cabled to the next.
void set_links_of_a_node(NetworkParams& network, const NcclHop& hop) {
    const bool star = std::holds_alternative<StarParams>(network.topology.params);
    network.link.propagation = star ? per_link(hop.node, 2) : hop.node;
}

/// Islands are nodes. A hop has two links: inside an island, the island's; between islands, the NICs'.
void set_links_between_nodes(NetworkParams& network, const NcclHop& hop, Bandwidth rate) {
    auto& islands = std::get<IslandsParams>(network.topology.params);
    islands.island_link.bandwidth = rate;
    islands.island_link.propagation = per_link(hop.node, 2);
    network.link.propagation = per_link(hop.network, 2);
}

}   // namespace

bool has_several_nodes(const NcclParams& tuner, std::uint32_t ranks) {
    return tuner.ranks_per_node != 0 && tuner.ranks_per_node < ranks;
}

void tune(Parameters& p) {
    const NcclChoice choice = fastest_choice(*p.tuner, p.ranks, *p.size);
    const bool ring = choice.algorithm == NcclAlgorithm::ring;
    const Tuned tuned = ring ? ring_machine(p, choice.protocol) : tree_machine(p, choice.protocol);
    p.collective = tuned.collective;
    p.gpu.launch = p.tuner->launch + tuned.base;
    p.nic.message_latency = {};   // which is in the latency of a hop
    p.network.link.bandwidth = tuned.rate;
    if (has_several_nodes(*p.tuner, p.ranks)) set_links_between_nodes(p.network, tuned.hop, tuned.rate);
    else set_links_of_a_node(p.network, tuned.hop);
}

}   // namespace oscar
