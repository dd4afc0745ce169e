#include "sim/checks/island_port.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "models/collective/algorithms/collective_islands.hpp"
#include "sim/checks/kernel_sums.hpp"
#include "sim/checks/places.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

void check_nodes_alike(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].gpu.island_port.has_value() != p.gpu.island_port.has_value())
            experiment.source.child("nodes")
                .child(std::to_string(i))
                .child("gpu")
                .child("island_port")
                .fail("all GPUs have such a port or none; write it, or null, for all, and here only what differs");
}

}   // namespace

void check_island_port(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    check_nodes_alike(experiment);
    if (!p.gpu.island_port) return;
    const ConfigNode node = experiment.source.child("gpu").child("island_port");
    if (!std::holds_alternative<IslandsParams>(p.network.topology.params))
        node.fail("network.topology has no islands; write {kind: hierarchical, island: 8}, or leave the port out");
    check_sums_of_kernels(p, node, "the port");
}

namespace {

/// True if two nodes say the same of the NIC between them and the network.
bool same_nic(const NodeParams& a, const NodeParams& b) {
    return a.nic == b.nic && a.engine == b.engine && a.gpu.dma_bandwidth == b.gpu.dma_bandwidth &&
           a.gpu.dma_latency == b.gpu.dma_latency && a.gpu.dma_payload == b.gpu.dma_payload &&
           a.gpu.dma_header == b.gpu.dma_header && a.gpu.dma_reads == b.gpu.dma_reads &&
           a.gpu.dma_request == b.gpu.dma_request;
}

}   // namespace

void check_gpus_per_nic(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (islands == nullptr || islands->gpus_per_nic == 1) return;
    const ConfigNode node = experiment.source.child("network").child("topology").child("gpus_per_nic");
    if (islands->gpus_per_nic > islands->island)
        node.fail(fmt::format("an island has {} ranks; choose no more", islands->island));
    if (islands->island % islands->gpus_per_nic != 0)
        node.fail(fmt::format("the last NIC of an island of {} has {} GPUs, the others {}; choose a divisor of {}",
                              islands->island, islands->island % islands->gpus_per_nic, islands->gpus_per_nic,
                              islands->island));
    if (!p.gpu.island_port)
        node.fail(
            "GPUs that share a NIC reach each other by ports of their own; write gpu.island_port: {}, with the rate of "
            "PCI Express where there is no NVLink");
    if (p.nodes.empty()) return;
    const Topology topology = make_topology(*islands, p.ranks, p.network.link);
    const Nodes nodes = nodes_of(p);
    for (std::uint32_t r = 0; r < p.ranks; ++r)
        if (const Rank nic = topology.nic_of(Rank{r}); !same_nic(nodes[r], nodes[nic.value]))
            experiment.source.child("nodes").fail(fmt::format(
                "ranks {} and {} share a NIC, and their engine, nic or gpu.dma_* differ; give both the same", nic.value,
                r));
}

namespace {

std::uint32_t island_of_collective(const Parameters& p, std::uint32_t of_machine, const ConfigNode& collective) {
    try {
        return islands_of(p.collective, p.ranks, of_machine)->ranks;
    } catch (const std::invalid_argument& error) {
        fail_with(collective, error.what());
    }
}

}   // namespace

void check_inside_of_islands(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const IslandParams* params = island_params_in(p.collective);
    if (params == nullptr || params->inside == InsideIsland::ranks) return;
    const ConfigNode collective = experiment.source.child("collective"), node = collective.child("inside");
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    if (!p.gpu.island_port || islands == nullptr)
        node.fail("switches of islands add what ports of GPUs send; take base: nvlink-4, or write ranks");
    if (const std::uint32_t island = island_of_collective(p, islands->island, collective); island != islands->island)
        collective.child("island").fail(
            fmt::format("its islands have {} ranks, those of network.topology {}; choose "
                        "{}",
                        island, islands->island, islands->island));
    const ConfigNode adders = experiment.source.child("network").child("switch").child("aggregator");
    if (adders.form == ConfigNode::Form::null)
        node.fail(
            "network.switch.aggregator does not say what they add with, as for machines whose switches do not add "
            "(NVLink 3, Infinity Fabric); write ranks, take base: nvlink-4 or nvlink-5, or write the adders, like "
            "{adders: 229}");
}

}   // namespace oscar
