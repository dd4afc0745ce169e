#include "sim/checks/node/pcie_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

void check_switches_alike(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].gpu.pcie_switch != p.gpu.pcie_switch)
            experiment.source.child("nodes")
                .child(std::to_string(i))
                .child("gpu")
                .child("pcie_switch")
                .fail("all PCIe switches are alike; write it for all, and here only what differs");
}

}   // namespace

void check_pcie_switch(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    check_switches_alike(experiment);
    if (!p.gpu.pcie_switch) return;
    const ConfigNode node = experiment.source.child("gpu").child("pcie_switch").child("gpus");
    const auto* islands = std::get_if<IslandsParams>(&p.network.topology.params);
    const std::uint32_t gpus = p.gpu.pcie_switch->gpus,
                        together = islands != nullptr ? std::min(islands->island, p.ranks) : p.ranks;
    if (p.gpu.pcie_switch->uplink && together % gpus != 0)
        node.fail(fmt::format("of {} GPUs {} are left for the last PCIe switch; choose a divisor of {}", together,
                              together % gpus, together));
    if (gpus % gpus_per_nic(p) != 0)
        node.fail(fmt::format("{} GPUs share a NIC, and some of them are on another switch; choose a multiple of {}",
                              gpus_per_nic(p), gpus_per_nic(p)));
}

}   // namespace oscar
