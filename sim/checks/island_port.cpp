#include "sim/checks/island_port.hpp"

#include <string>

#include "sim/checks/kernel_sums.hpp"

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

}   // namespace oscar
