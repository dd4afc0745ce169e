#include "sim/checks/network_problem.hpp"

#include <algorithm>

#include "models/network/grid/router_flit.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/topology/deadlock.hpp"

namespace oscar {
namespace {

std::string bytes(std::uint64_t count) { return std::to_string(count) + "B"; }
std::string bytes(Bytes size) { return bytes(size.count); }

std::string key_of(PacketFeature feature) {
    switch (feature) {
        case PacketFeature::flow_control:
            return "flow_control";
        case PacketFeature::congestion:
            return "congestion";
        case PacketFeature::reliability:
            return "reliability";
        case PacketFeature::faults:
            return "faults";
        case PacketFeature::loss:
            break;
    }
    return "loss";
}

struct Words {
    const NetworkParams& network;

    ConfigProblem operator()(const CreditsOnly& problem) const {
        return {
            key_of(problem.feature),
            problem.input_queued
                ? "input-queued routers know credits only, no loss, fault, pause, mark or repair; leave it out"
                : "fidelity flit knows credits only, no loss, fault, pause, mark or repair; write fidelity: packet"};
    }

    ConfigProblem operator()(const BufferBelowPacket& problem) const {
        const std::uint64_t largest = largest_packet(network).count, channels = network.virtual_channels;
        const std::uint64_t share = problem.buffer.count / channels, held = problem.buffer.count / largest;
        std::string text = channels == 1
                               ? "a buffer of " + bytes(problem.buffer) + " holds no"
                               : "each of " + std::to_string(channels) + " virtual channels has " + bytes(share) +
                                     " of a buffer of " + bytes(problem.buffer) + ", which hold no";
        text += " packet of " + bytes(network.packet) + " with its header of " + bytes(network.header);
        const double link_share = network.switches.aggregator.link_share;
        if (link_share < 1) text += ", with the protocol of adding switches " + bytes(largest);
        text += "; write buffer: " + bytes(channels * largest) + " or more";
        if (held > 0) text += ", network.virtual_channels: " + std::to_string(held) + " or fewer";
        const auto room = static_cast<std::uint64_t>(static_cast<double>(share) * link_share);
        if (room >= network.header.count + least_packet.count)
            text += ", network.packet: " + bytes(room - network.header.count) + " or less";
        return {"link.buffer", text};
    }

    ConfigProblem operator()(const UnrepairedLoss&) const {
        return {"loss", "nothing repairs it; write network.reliability: {kind: go_back_n}, selective or link_retry"};
    }
    ConfigProblem operator()(const UnrepairedDrops&) const {
        return {"reliability",
                "link_retry repairs what a link damaged, not what a full buffer drops; write reliability: "
                "go_back_n or selective, or flow_control: credit or pfc"};
    }

    ConfigProblem operator()(const BufferBelowHeadroom& problem) const {
        return {"flow_control", "the buffer of " + bytes(problem.buffer) +
                                    " is no larger than the headroom that a pause needs; write buffer: " +
                                    bytes(problem.headroom + problem.headroom) + " or more, or xoff: to accept loss" +
                                    of_each_channel()};
    }
    ConfigProblem operator()(const XonAboveXoff& problem) const {
        return {"flow_control", "xon of " + bytes(problem.xon) + " is above xoff of " + bytes(problem.xoff) +
                                    "; write xon: " + bytes(problem.xoff.count / 2) + of_each_channel()};
    }
    std::string of_each_channel() const {
        if (network.virtual_channels == 1) return "";
        return "; of each of " + std::to_string(network.virtual_channels) +
               " virtual channels, among which the buffer of a link is divided";
    }

    ConfigProblem operator()(const ReplayBelowPacket& problem) const {
        return {"reliability",
                "the replay buffer holds no whole packet; write replay_buffer: " + bytes(problem.packet) + " or more"};
    }
    ConfigProblem operator()(const OvertakenAnswers&) const {
        return {"routing",
                "the packets of a sprayed flow overtake each other, but its receiver answers in order; write "
                "routing: shortest, or reliability: none or link_retry with congestion: none"};
    }
    ConfigProblem operator()(const MarksReversed& problem) const {
        return {"congestion",
                "mark_from is above mark_all_from; write mark_from: " + bytes(problem.mark_all_from) + " or less"};
    }

    ConfigProblem operator()(const RoutersByMessage&) const {
        return {"switch.architecture",
                "input-queued routers are simulated flit by flit; write fidelity: flit or packet"};
    }
    ConfigProblem operator()(const RoutersWithoutGrid&) const {
        return {"topology",
                "input-queued routers stand in a mesh or a torus; write topology: mesh, or leave out "
                "network.switch.architecture"};
    }
    ConfigProblem operator()(const RoutersWithoutDateline&) const {
        return {"switch.architecture", std::string(no_dateline)};
    }
    ConfigProblem operator()(const RoutersOutOfDimensionOrder&) const {
        return {"routing", "input-queued routers go in dimension order; write routing: dimension_order"};
    }
    ConfigProblem operator()(const RoutersWithOtherChannels&) const {
        return {"virtual_channels", "input-queued routers have those of network.switch.architecture.vcs; leave it out"};
    }
    ConfigProblem operator()(const RoutersWithUnequalLinks&) const {
        return {"overrides", "links between input-queued routers are all alike; leave it out"};
    }
    ConfigProblem operator()(const RoutersWithFractionalCycle&) const {
        return {"flit", "a cycle of input-queued routers is a flit on a link: " + std::to_string(network.flit.count) +
                            " B at " + std::to_string(network.link.bandwidth.mbps) +
                            " Mbit/s take no whole number of picoseconds; choose a flit or a bandwidth where "
                            "8,000,000 x bytes / Mbit/s is whole, like 64B at 100Gbps"};
    }
    ConfigProblem operator()(const RoutersBehindLongLinks&) const {
        return {"link",
                "the propagation is more than " + std::to_string(most_delay_cycles) + " cycles; choose a larger flit"};
    }
    ConfigProblem operator()(const RoutersWithLongSwitching&) const {
        return {"switch.latency",
                "the latency is more than " + std::to_string(most_delay_cycles) + " cycles; choose a larger flit"};
    }
    ConfigProblem operator()(const RoutersWithLongPackets&) const {
        return {"packet", "has more than " + std::to_string(most_packet_flits) +
                              " flits; choose smaller packets or a larger flit"};
    }
};

std::string text_of(const Topology& topology, const std::vector<Hop>& cycle) {
    constexpr std::size_t shown = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, cycle.size()); ++i)
        text += (i > 0 ? ", " : "") + topology.edge_name(cycle[i].edge);
    if (cycle.size() > shown) text += ", and " + std::to_string(cycle.size() - shown) + " more";
    return text;
}

/// A change under which no packets wait for each other, each of them tried.
std::string remedy(const Topology& topology, const RoutingParams& routing, std::uint32_t virtual_channels) {
    const auto helps = [&](const RoutingParams& other, std::uint32_t channels) {
        return find_wait_cycle(topology, other, channels).empty();
    };
    if (virtual_channels < 2 && helps(routing, 2)) return "set network.virtual_channels: 2";
    if (has_dimensions(topology)) {
        if (helps(DimensionOrderParams{}, virtual_channels)) return "choose dimension_order";
        if (helps(DimensionOrderParams{}, 2)) return "choose dimension_order with network.virtual_channels: 2";
    }
    return "leave out one of these links, or write a graph in which it is a dateline and set "
           "network.virtual_channels: 2";
}

}   // namespace

ConfigProblem config_problem(const NetworkProblem& problem, const NetworkParams& network) {
    return std::visit(Words{network}, problem);
}

std::optional<std::string> find_deadlock_problem(const Topology& topology, const RoutingParams& routing,
                                                 std::uint32_t virtual_channels) {
    const std::vector<Hop> cycle = find_wait_cycle(topology, routing, virtual_channels);
    if (cycle.empty()) return std::nullopt;
    const std::string what = "packets can wait for each other in a circle of links under " +
                             std::string(resolve(routing, topology).name()) + " routing: " + text_of(topology, cycle) +
                             ", which waits for the first; ";
    return what + remedy(topology, routing, virtual_channels);
}

}   // namespace oscar
