#include "sim/checks/island_port.hpp"

#include <string>

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
    for (const Method& method : p.methods) {
        if (p.gpu.gradients == GradientForm::fp32 && !std::holds_alternative<Fp32Params>(method.codec.params))
            node.fail("what the port carries is what " + method.name +
                      " sums, and with gpu.gradients: fp32 the NIC alone makes that; write gpu.gradients: codes");
        if (method.delta_gather.value_or(p.delta_gather))
            node.fail("with delta_gather, what a NIC adds must stay in the NIC; leave out one of the two");
        if (method.lossy && method.lossy->coded)
            node.fail("the port carries uncoded values, and " + method.name +
                      " would code them; leave out its codec, or the port");
    }
}

}   // namespace oscar
