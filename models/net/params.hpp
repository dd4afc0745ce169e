// Parameters of the network: plain data, no clock.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"
#include "models/net/congestion_params.hpp"
#include "models/net/flow_control_params.hpp"
#include "models/net/loss_params.hpp"
#include "models/net/reliability_params.hpp"

namespace oscar {

using namespace literals;

/// One direction of a cable. Credits count buffer bytes at the receiver: virtual cut-through, a packet starts when the
/// whole of it has room there, and its room comes back one propagation after it has left the buffer.
struct LinkParams {
    Bandwidth bandwidth = 400_Gbps;
    Time propagation = 500_ns;
    Bytes buffer = 256_KiB;
    static constexpr auto fields() {
        return std::tuple{
            field("bandwidth", &LinkParams::bandwidth, "raw rate of one direction", 1_Mbps, 10'000_Gbps),
            field("propagation", &LinkParams::propagation, "time of flight: cable, PHY, FEC", 0_ps, 100_ms),
            field("buffer", &LinkParams::buffer,
                  "receive buffer, the credit pool; below bandwidth * round trip it limits the rate", 64_B, 1_GiB),
        };
    }
};

struct SwitchParams {
    Time latency = 300_ns;
    static constexpr auto fields() {
        return std::tuple{
            field("latency", &SwitchParams::latency, "from a packet's first flit in to its earliest first flit out",
                  0_ps, 1_ms),
        };
    }
};

/// All ranks at one switch.
struct StarParams {
    std::uint32_t nodes = 0;
    static constexpr auto fields() {
        return std::tuple{field("nodes", &StarParams::nodes, "attached ranks; 0: as many as `ranks` says", 0u, 65535u)};
    }
};
/// Each rank cabled to its two neighbours; no switch, and nobody forwards.
struct CableRingParams {
    std::uint32_t nodes = 0;
    static constexpr auto fields() {
        return std::tuple{
            field("nodes", &CableRingParams::nodes, "ranks in the ring; 0: as many as `ranks` says", 0u, 65535u)};
    }
};

inline constexpr auto topologies = std::tuple{
    kind<StarParams>("star", "every rank on one switch"),
    kind<CableRingParams>("ring", "each rank cabled to its two neighbours"),
};
using TopologyKind = OneOf<topologies>;

/// How finely the network is simulated; results do not depend on it, to the picosecond.
enum class TimingFidelity : std::uint8_t { flit, packet, message };
constexpr auto choices(TimingFidelity) {
    return std::array{
        Choice{"flit", TimingFidelity::flit, "an event per flit and link: slow, to check the others by"},
        Choice{"packet", TimingFidelity::packet, "an event per packet and link"},
        Choice{"message", TimingFidelity::message,
               "an event per block of flows that share no link, which are computed; as packet for others"},
    };
}

struct NetworkParams {
    TopologyKind topology;
    LinkParams link;
    SwitchParams router;
    Bytes packet = 4_KiB;
    Bytes header = 82_B;
    Bytes flit = 64_B;
    FlowControl flow_control;
    CongestionControl congestion;
    Reliability reliability;
    LossParams loss;
    Time stall = 100_ms;
    static constexpr auto fields() {
        return std::tuple{
            field("topology", &NetworkParams::topology, "what is cabled to what"),
            field("link", &NetworkParams::link, "every link"),
            field("switch", &NetworkParams::router, "every switch"),
            field("packet", &NetworkParams::packet, "most payload in a packet", 64_B, 1_MiB),
            field("header", &NetworkParams::header,
                  "added to each packet; RoCEv2: preamble and gap 20, Ethernet 18, IPv4 20, UDP 8, BTH 12, ICRC 4", 0_B,
                  4_KiB),
            field("flit", &NetworkParams::flit, "unit of cut-through: a switch forwards once the first has arrived",
                  1_B, 4_KiB),
            field("flow_control", &NetworkParams::flow_control, "what a sender does when the far buffer is full"),
            field("congestion", &NetworkParams::congestion, "marks, and the rate of each flow"),
            field("reliability", &NetworkParams::reliability, "what repairs the loss of packets"),
            field("loss", &NetworkParams::loss, "damage on every link"),
            field("stall", &NetworkParams::stall,
                  "packets that are sent again while nothing new is delivered for this long end the run", 1_us,
                  10'000'000_ms),
        };
    }
};

}   // namespace oscar
