#include "models/network/transport/network.hpp"

#include <stdexcept>
#include <utility>

#include "models/network/core/make_fabric.hpp"
#include "models/network/transport/input_queued.hpp"

namespace oscar {
namespace {

template <class P>
bool is(const auto& kind) {
    return std::holds_alternative<P>(kind.params);
}

bool damages(const NetworkParams& network) { return network.loss.rate > 0 || network.loss.bit_error_rate > 0; }

/// The first key of loss, pause, mark or repair.
std::optional<std::string> special(const NetworkParams& network) {
    if (!is<CreditParams>(network.flow_control)) return "flow_control";
    if (!is<UncontrolledParams>(network.congestion)) return "congestion";
    if (!is<UnreliableParams>(network.reliability)) return "reliability";
    if (damages(network)) return "loss";
    if (network.faults && network.faults->any()) return "faults";
    return std::nullopt;
}

std::string only_credits(const NetworkParams& network) {
    if (input_queued(network) != nullptr)
        return "input-queued routers know credits only, no loss, fault, pause, mark or repair; leave it out";
    return "fidelity flit knows credits only, no loss, fault, pause, mark or repair; write fidelity: packet";
}

std::optional<std::string> why_no_pauses(const NetworkParams& network, std::span<const LinkParams> links) {
    const auto* pfc = std::get_if<PfcParams>(&network.flow_control.params);
    if (!pfc) return std::nullopt;
    for (LinkParams link : links) try {
            link.buffer.count /= network.virtual_channels;
            resolved(*pfc, link, network.flit, network.packet + network.header);
        } catch (const std::invalid_argument& error) {
            if (network.virtual_channels == 1) return error.what();
            return std::string(error.what()) + "; of each of " + std::to_string(network.virtual_channels) +
                   " virtual channels, among which the buffer of a link is divided";
        }
    return std::nullopt;
}

/// A packet starts, or is kept, only where a channel's share of the buffer holds the whole of it.
std::optional<ConfigProblem> why_no_room(const NetworkParams& network, std::span<const LinkParams> links) {
    const std::uint64_t largest = (network.packet + network.header).count, channels = network.virtual_channels;
    const auto bytes = [](std::uint64_t count) { return std::to_string(count) + "B"; };
    for (const LinkParams& link : links) {
        const std::uint64_t share = link.buffer.count / channels, held = link.buffer.count / largest;
        if (share >= largest) continue;
        std::string text = channels == 1
                               ? "a buffer of " + bytes(link.buffer.count) + " holds no"
                               : "each of " + std::to_string(channels) + " virtual channels has " + bytes(share) +
                                     " of a buffer of " + bytes(link.buffer.count) + ", which hold no";
        text += " packet of " + bytes(network.packet.count) + " with its header of " + bytes(network.header.count) +
                "; write buffer: " + bytes(channels * largest) + " or more";
        if (held > 0) text += ", network.virtual_channels: " + std::to_string(held) + " or fewer";
        if (share >= network.header.count + least_packet.count)
            text += ", network.packet: " + bytes(share - network.header.count) + " or less";
        return ConfigProblem{"link.buffer", text};
    }
    return std::nullopt;
}

/// What a full buffer drops has crossed its link whole.
std::optional<ConfigProblem> find_repair_problem(const NetworkParams& network) {
    if (damages(network) && is<UnreliableParams>(network.reliability))
        return ConfigProblem{
            "loss", "nothing repairs it; write network.reliability: {kind: go_back_n}, selective or link_retry"};
    if (is<LossyParams>(network.flow_control) && is<LinkRetryParams>(network.reliability))
        return ConfigProblem{
            "reliability",
            "link_retry repairs what a link damaged, not what a full buffer drops; write reliability: "
            "go_back_n or selective, or flow_control: credit or pfc"};
    return std::nullopt;
}

std::optional<ConfigProblem> why_no_marks(const NetworkParams& network) {
    const auto* dcqcn = std::get_if<DcqcnParams>(&network.congestion.params);
    if (!dcqcn || dcqcn->mark_from <= dcqcn->mark_all_from) return std::nullopt;
    return ConfigProblem{"congestion", "mark_from is above mark_all_from; write mark_from: " +
                                            std::to_string(dcqcn->mark_all_from.count) + "B or less"};
}

/// Packets are numbered and answered by flow, rates are of flows; sprayed packets of a flow overtake each other.
std::optional<ConfigProblem> find_spray_problem(const NetworkParams& network) {
    if (!is<SprayParams>(network.routing) || !answers(network)) return std::nullopt;
    return ConfigProblem{"routing",
                          "the packets of a sprayed flow overtake each other, but its receiver answers in order; write "
                          "routing: shortest, or reliability: none or link_retry with congestion: none"};
}

}   // namespace

bool is_plain(const NetworkParams& network) { return !special(network) && input_queued(network) == nullptr; }

bool answers(const NetworkParams& network) {
    return is<DcqcnParams>(network.congestion) || is_end_to_end(network.reliability);
}

std::optional<ConfigProblem> find_problem(const NetworkParams& network, std::span<const LinkParams> links,
                                      TimingFidelity fidelity) {
    if (const auto key = special(network); key && fidelity == TimingFidelity::flit)
        return ConfigProblem{*key, only_credits(network)};
    if (const InputQueuedParams* params = input_queued(network)) {
        if (const auto problem = find_input_queued_problem(*params, network, links, fidelity)) return problem;
    } else if (const auto problem = why_no_room(network, links)) {
        return problem;
    }
    if (const auto problem = find_repair_problem(network)) return problem;
    if (const auto text = why_no_pauses(network, links)) return ConfigProblem{"flow_control", *text};
    const auto* retry = std::get_if<LinkRetryParams>(&network.reliability.params);
    if (retry && retry->replay_buffer < network.packet + network.header)
        return ConfigProblem{"reliability", "the replay buffer holds no whole packet; write replay_buffer: " +
                                                 std::to_string((network.packet + network.header).count) + "B or more"};
    if (const auto problem = find_spray_problem(network)) return problem;
    return why_no_marks(network);
}

std::unique_ptr<Fabric> make_network(TimingFidelity fidelity, const FabricParams& params, const NetworkParams& network,
                                     FabricClient& client, WayBack reverse_path, PacketFilter passes) {
    if (const InputQueuedParams* routers = input_queued(network))
        return make_input_queued(*routers, network, params, client);
    if (is_plain(network)) return make_fabric(fidelity, params, client);
    return std::make_unique<TransportFabric>(params, network, client, std::move(reverse_path), std::move(passes));
}

}   // namespace oscar
