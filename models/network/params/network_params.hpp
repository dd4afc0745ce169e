// Parameters of the network: plain data, no clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"
#include "models/network/link/link_params.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/params/aggregator_params.hpp"
#include "models/network/params/congestion_params.hpp"
#include "models/network/params/fault_params.hpp"
#include "models/network/params/flow_control_params.hpp"
#include "models/network/params/loss_params.hpp"
#include "models/network/params/reliability_params.hpp"
#include "models/network/params/router_params.hpp"
#include "models/network/topology/kinds/topologies.hpp"
#include "models/network/topology/routing.hpp"
#include "models/network/traffic/background_params.hpp"

namespace oscar {

struct SwitchParams {
    Time latency = 300_ns;
    AggregatorParams aggregator = {};
    SwitchArchitecture architecture = {};
    static constexpr auto fields() {
        return Entries{
            field("architecture", &SwitchParams::architecture,
                  "switch microarchitecture: output-queued or input-queued"),
            field("latency", &SwitchParams::latency, "least time from a packet's first flit in to its first flit out",
                  0_ps, 1_ms),
            field("aggregator", &SwitchParams::aggregator, "adders of the switch (collective: in_network)"),
        };
    }
};

/// The granularity at which the network is simulated; results do not depend on it, to the picosecond.
enum class TimingFidelity : std::uint8_t { flit, packet, message };
constexpr auto choices(TimingFidelity) {
    return std::array{
        Choice{"flit", TimingFidelity::flit, "one event per flit and link: slow, the reference of the others"},
        Choice{"packet", TimingFidelity::packet, "one event per packet and link"},
        Choice{"message", TimingFidelity::message,
               "one event per block of a flow that shares no link; as packet for others"},
    };
}

/// Links that differ from the others, chosen by their name or by that of a node at either end.
struct LinkOverride : LinkChange {
    std::string link = {}, node = {};
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("link", &LinkOverride::link, "one direction, like rank3->switch0; * stands for any characters"),
                field("node", &LinkOverride::node, "all links from and to it, like rank5; * as with link"),
            },
            LinkChange::fields());
    }
};

inline constexpr Bytes least_packet = 64_B;

struct NetworkParams {
    TopologyKind topology;
    LinkParams link;
    std::vector<LinkOverride> overrides = {};
    RoutingParams routing = {};
    std::uint32_t virtual_channels = 1;
    SwitchParams switches = {};
    Bytes packet = 4_KiB;
    Bytes header = 82_B;
    Bytes flit = 64_B;
    FlowControl flow_control;
    CongestionControl congestion;
    Reliability reliability;
    LossParams loss;
    std::optional<FaultParams> faults = {};
    std::optional<BackgroundParams> background = {};
    Time stall = 100_ms;
    static constexpr auto fields() {
        return Entries{
            field("topology", &NetworkParams::topology, "nodes and the cables between them"),
            field("link", &NetworkParams::link, "default link parameters"),
            field("overrides", &NetworkParams::overrides, "links that differ from the default; later entries win"),
            field("routing", &NetworkParams::routing, "choice among the shortest paths"),
            field("virtual_channels", &NetworkParams::virtual_channels,
                  "virtual channels of each link, which share its buffer equally", 1u, 64u),
            field("switch", &NetworkParams::switches, "parameters of every switch"),
            field("packet", &NetworkParams::packet, "largest payload of a packet", least_packet, 1_MiB),
            field("header", &NetworkParams::header,
                  "added to each packet; RoCEv2: preamble and gap 20, Ethernet 18, IPv4 20, UDP 8, BTH 12, ICRC 4", 0_B,
                  4_KiB),
            field("flit", &NetworkParams::flit, "unit of cut-through: a switch forwards once the first has arrived",
                  1_B, 4_KiB),
            field("flow_control", &NetworkParams::flow_control, "reaction of a sender to a full receive buffer"),
            field("congestion", &NetworkParams::congestion, "congestion control: marks, and the rate of each flow"),
            field("reliability", &NetworkParams::reliability, "repair of lost packets"),
            field("loss", &NetworkParams::loss, "random damage of packets on every link"),
            field("faults", &NetworkParams::faults,
                  "injected faults of packets, for tests of error detection and repair; none: no faults"),
            field("background", &NetworkParams::background, "traffic of other hosts; none: no such traffic"),
            field("stall", &NetworkParams::stall,
                  "time after which the run ends with an error if packets are retransmitted without progress, at most "
                  "1000 timeouts of reliability, or only background traffic moves",
                  1_us, 10'000'000_ms),
        };
    }
};

/// The most that a packet takes of the wire.
inline Bytes largest_packet(const NetworkParams& network) {
    return PacketFormat{network.header, network.switches.aggregator.link_share}.wire(network.packet);
}

}   // namespace oscar
