#include "models/network/transport/make_network.hpp"

#include <utility>

#include "models/network/event/make_fabric.hpp"
#include "models/network/grid/input_queued.hpp"
#include "models/network/transport/ethernet_links.hpp"

namespace oscar {
namespace {

using Problem = std::optional<NetworkProblem>;

template <class P>
bool is(const auto& kind) {
    return std::holds_alternative<P>(kind.params);
}

bool damages(const NetworkParams& network) { return network.loss.rate > 0 || network.loss.bit_error_rate > 0; }

/// The first of loss, pause, mark or repair.
std::optional<PacketFeature> feature_in(const NetworkParams& network) {
    if (!is<CreditParams>(network.flow_control)) return PacketFeature::flow_control;
    if (!is<UncontrolledParams>(network.congestion)) return PacketFeature::congestion;
    if (!is<UnreliableParams>(network.reliability)) return PacketFeature::reliability;
    if (damages(network)) return PacketFeature::loss;
    if (network.faults && network.faults->any()) return PacketFeature::faults;
    return std::nullopt;
}

Problem find_pause_problem(const NetworkParams& network, std::span<const LinkParams> links) {
    const auto* pfc = std::get_if<PfcParams>(&network.flow_control.params);
    if (!pfc) return std::nullopt;
    for (LinkParams link : links) {
        link.buffer.count /= network.virtual_channels;
        const auto problem = find_problem(*pfc, link, network.flit, network.packet + network.header);
        if (problem) return std::visit([](const auto& found) -> NetworkProblem { return found; }, *problem);
    }
    return std::nullopt;
}

/// A packet starts, or is kept, only where a channel's share of the buffer holds the whole of it.
Problem find_room_problem(const NetworkParams& network, std::span<const LinkParams> links) {
    const std::uint64_t largest = largest_packet(network).count;
    for (const LinkParams& link : links)
        if (link.buffer.count / network.virtual_channels < largest) return BufferBelowPacket{link.buffer};
    return std::nullopt;
}

/// What a full buffer drops has crossed its link whole.
Problem find_repair_problem(const NetworkParams& network) {
    if (damages(network) && is<UnreliableParams>(network.reliability)) return UnrepairedLoss{};
    if (is<LossyParams>(network.flow_control) && is<LinkRetryParams>(network.reliability)) return UnrepairedDrops{};
    return std::nullopt;
}

Problem find_replay_problem(const NetworkParams& network) {
    const auto* retry = std::get_if<LinkRetryParams>(&network.reliability.params);
    const Bytes largest = network.packet + network.header;
    return retry && retry->replay_buffer < largest ? Problem(ReplayBelowPacket{largest}) : std::nullopt;
}

/// Packets are numbered and answered by flow, rates are of flows; sprayed packets of a flow overtake each other.
Problem find_spray_problem(const NetworkParams& network) {
    return is<SprayParams>(network.routing) && answers(network) ? Problem(OvertakenAnswers{}) : std::nullopt;
}

Problem find_mark_problem(const NetworkParams& network) {
    const auto* dcqcn = std::get_if<DcqcnParams>(&network.congestion.params);
    if (!dcqcn || dcqcn->mark_from <= dcqcn->mark_all_from) return std::nullopt;
    return MarksReversed{dcqcn->mark_all_from};
}

}   // namespace

bool is_plain(const NetworkParams& network) { return !feature_in(network) && input_queued(network) == nullptr; }

bool answers(const NetworkParams& network) {
    return is<DcqcnParams>(network.congestion) || is_end_to_end(network.reliability);
}

Problem find_problem(const NetworkParams& network, std::span<const LinkParams> links, TimingFidelity fidelity) {
    const InputQueuedParams* routers = input_queued(network);
    if (const auto feature = feature_in(network); feature && (fidelity == TimingFidelity::flit || routers != nullptr))
        return CreditsOnly{*feature, routers != nullptr};
    if (const auto problem = routers != nullptr ? find_input_queued_problem(*routers, network, links, fidelity)
                                                : find_room_problem(network, links))
        return problem;
    if (const auto problem = find_repair_problem(network)) return problem;
    if (const auto problem = find_pause_problem(network, links)) return problem;
    if (const auto problem = find_replay_problem(network)) return problem;
    if (const auto problem = find_spray_problem(network)) return problem;
    return find_mark_problem(network);
}

std::unique_ptr<PacketFabric> make_ethernet(const FabricParams& params, const NetworkParams& network,
                                            FabricClient& client, ReversePath reverse_path, PacketFilter passes) {
    auto fabric = std::make_unique<PacketFabric>(params, client);
    auto links = std::make_unique<EthernetLinks>(*fabric, params, network);
    auto transport = std::make_unique<EndToEndTransport>(*fabric, network, links->account(), client,
                                                         std::move(reverse_path), std::move(passes));
    fabric->compose(std::move(links), std::move(transport));
    return fabric;
}

std::unique_ptr<Fabric> make_network(TimingFidelity fidelity, const FabricParams& params, const NetworkParams& network,
                                     FabricClient& client, ReversePath reverse_path, PacketFilter passes) {
    if (const InputQueuedParams* routers = input_queued(network))
        return make_input_queued(*routers, network, params, client);
    if (is_plain(network)) return make_fabric(fidelity, params, client);
    return make_ethernet(params, network, client, std::move(reverse_path), std::move(passes));
}

}   // namespace oscar
