#include "sim/parameters/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/network/params/input_queued_params.hpp"
#include "models/network/transport/make_network.hpp"

namespace oscar {
namespace {

std::uint64_t divided(std::uint64_t number, std::uint64_t by) {
    return number == 0 ? 0 : std::max<std::uint64_t>(1, (number + by / 2) / by);
}
void divide(Bandwidth& rate, std::uint64_t by) { rate.mbps = divided(rate.mbps, by); }
void divide(Bytes& size, std::uint64_t by) { size.count = divided(size.count, by); }
void divide(std::uint32_t& count, std::uint64_t by) { count = static_cast<std::uint32_t>(divided(count, by)); }

void divide(LinkParams& link, std::uint64_t by) {
    divide(link.bandwidth, by);
    divide(link.buffer, by);
}

void divide(LinkChange& link, std::uint64_t by) {
    if (link.bandwidth) divide(*link.bandwidth, by);
    if (link.buffer) divide(*link.buffer, by);
}

/// The links that a topology gives rates of their own.
void divide(TopologyKind& topology, std::uint64_t by) {
    if (auto* islands = std::get_if<IslandsParams>(&topology.params)) divide(islands->island_link, by);
    if (auto* leaves = std::get_if<LeafSpineParams>(&topology.params)) divide(leaves->spine_link, by);
    if (auto* groups = std::get_if<DragonflyParams>(&topology.params)) divide(groups->global_link, by);
    if (auto* graph = std::get_if<GraphParams>(&topology.params))
        for (GraphEdge& edge : graph->edges) divide(edge, by);
}

/// A call on fewer values takes as long as on all.
void divide(CodingKernelParams& coding, std::uint64_t by) {
    for (auto* rates : {&coding.encode, &coding.decode})
        for (CodingRate& rate : *rates) {
            divide(rate.values, by);
            rate.values_per_ns /= static_cast<double>(by);
        }
}

void divide(NetworkParams& network, std::uint64_t by) {
    divide(network.link, by);
    for (LinkOverride& link : network.overrides) divide(link, by);
    divide(network.topology, by);
    for (Bytes* size : {&network.packet, &network.header, &network.flit}) divide(*size, by);
    divide(network.switches.aggregator.adders, by);
}

/// ConfigError: a parameter that a scaled machine cannot have.
void check(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const auto refuse = [&](bool there, const char* key) {
        if (there)
            experiment.source.child("scale").fail(
                fmt::format("{} is not scaled; leave it out, or run the whole gradient with scale: 1", key));
    };
    refuse(!p.nodes.empty(), "nodes");
    refuse(!p.jobs.empty(), "jobs");
    refuse(p.tuner.has_value(), "tuner");
    refuse(p.network.background.has_value(), "network.background");
    refuse(input_queued(p.network) != nullptr, "network.switch.architecture");
    refuse(!is_plain(p.network), "flow control other than credits, congestion control, loss or repair");
    if (p.engine.lanes % p.scale != 0)
        experiment.source.child("scale").fail(
            fmt::format("{} does not divide the {} lanes of the engine; choose a divisor", p.scale, p.engine.lanes));
    if (p.network.packet.count / p.scale < least_packet.count)
        experiment.source.child("scale").fail(
            fmt::format("packets of {} B would have less than {} B; choose a smaller scale", p.network.packet.count,
                        least_packet.count));
}

}   // namespace

void scale_down(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    if (p.scale == 1) return;
    check(experiment);
    divide(p.network, p.scale);
    divide(p.gpu.dma_bandwidth, p.scale);
    if (p.gpu.dma_payload) divide(*p.gpu.dma_payload, p.scale);
    for (Bytes* size : {&p.gpu.dma_header, &p.gpu.dma_request}) divide(*size, p.scale);
    divide(p.gpu.memory_bandwidth, p.scale);
    if (p.gpu.pcie_switch) {
        divide(p.gpu.pcie_switch->gpu_bandwidth, p.scale);
        if (p.gpu.pcie_switch->uplink) divide(*p.gpu.pcie_switch->uplink, p.scale);
    }
    if (p.gpu.island_port) {
        divide(p.gpu.island_port->bandwidth, p.scale);
        divide(p.gpu.island_port->additions, p.scale);
    }
    if (p.gpu.coding) divide(*p.gpu.coding, p.scale);
    KernelPrices& prices = p.gpu.prices;
    for (double* rate : {&prices.hashes_per_ns, &prices.products_per_ns, &prices.draws_per_ns}) *rate /= p.scale;
    divide(p.nic.adders, p.scale);
    if (p.nic.staging_memory) divide(*p.nic.staging_memory, p.scale);
    divide(p.engine.lanes, p.scale);
    const std::uint32_t common = std::gcd(p.engine.packers, p.scale);   // less than one packer is a slower one
    p.engine.packers /= common;
    p.engine.packer_interval *= p.scale / common;
    divide(p.engine.mask_sram, p.scale);
}

}   // namespace oscar
