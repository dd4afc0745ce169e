#include "sim/parameters/roofline_of.hpp"

#include <algorithm>

#include "models/gpu/dma_rates.hpp"
#include "models/gpu/gradient_form.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

bool halves_overlap(const Collective& collective) {
    const std::uint32_t in_flight = in_flight_of(collective);
    return in_flight > 0 && in_flight < slices_of(collective);
}

}   // namespace

RooflineParams roofline_of(const Parameters& parameters, const Nodes& nodes, const Plan& plan) {
    RooflineParams machine;
    machine.link_bandwidth = parameters.network.link.bandwidth;
    machine.dma_bandwidth = net_dma_bandwidth(nodes.front().gpu);
    machine.lanes = nodes.front().engine.lanes;
    machine.clock = nodes.front().engine.clock;
    for (const NodeParams& node : nodes) {
        machine.dma_bandwidth = std::min(machine.dma_bandwidth, net_dma_bandwidth(node.gpu));
        machine.clock = std::min(machine.clock, node.engine.clock);
    }
    const std::uint32_t sharing = gpus_per_nic(parameters);
    machine.link_bandwidth.mbps = std::max<std::uint64_t>(1, machine.link_bandwidth.mbps / sharing);
    machine.dma_bandwidth.mbps = std::max<std::uint64_t>(1, machine.dma_bandwidth.mbps / sharing);
    if (const auto& pcie = parameters.gpu.pcie_switch; pcie && pcie->uplink)
        machine.dma_bandwidth.mbps =
            std::clamp<std::uint64_t>(pcie->uplink->mbps / pcie->gpus, 1, machine.dma_bandwidth.mbps);
    if (machine.lanes > 0) machine.lanes = std::max(1u, machine.lanes / sharing);
    const ValueBytes bytes = value_bytes(parameters.gpu.gradients, plan);
    machine.read_bits = 8.0 * static_cast<double>(bytes.read);
    machine.written_bits = 8.0 * static_cast<double>(bytes.written);
    machine.schedule =
        halves_overlap(parameters.collective) ? RooflineSchedule::pipelined : RooflineSchedule::one_bucket;
    return machine;
}

}   // namespace oscar
