// Parameters of loss recovery.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

/// No recovery: the network must not lose anything.
struct UnreliableParams {
    static constexpr auto fields() { return Entries{}; }
};

/// The parameters that the end-to-end protocols share.
struct RetransmissionParams {
    std::uint32_t window = 256;
    Time timeout = 100_us;
    template <class P>
    static constexpr auto fields_of() {
        return Entries{
            field("window", &P::window, "most unacknowledged packets of a flow", 1u, 1u << 20),
            field("timeout", &P::timeout, "time without a new acknowledgement after which packets are retransmitted",
                  1_ns, 10'000_ms),
        };
    }
};

/// The receiver takes packets in order only, and asks once for the one that it misses: RoCEv2's reliable connection.
/// Source: InfiniBand Architecture Specification 1.4, volume 1, section 9.7.
struct GoBackNParams : RetransmissionParams {
    static constexpr auto fields() { return fields_of<GoBackNParams>(); }
};

/// The receiver keeps what comes out of order, and tells what it has; only what is missing is sent again, once, and
/// after a timeout. Source: Mittal et al., "Revisiting Network Support for RDMA" (IRN), SIGCOMM 2018, section 3.
struct SelectiveParams : RetransmissionParams {
    std::uint32_t reorder = 256;
    static constexpr auto fields() {
        return concatenate(fields_of<SelectiveParams>(),
                           Entries{field("reorder", &SelectiveParams::reorder,
                                         "most packets after a missing one that the receiver keeps", 1u, 1u << 20)});
    }
};

/// Each link repairs its own losses: a packet whose CRC is wrong is requested again, with all after it, before anything
/// beyond the link sees them. Source: PCI Express Base Specification 5.0, section 3.6 (ACK/NAK of the data link layer).
struct LinkRetryParams {
    Time latency = 100_ns;
    Bytes replay_buffer = 256_KiB;
    static constexpr auto fields() {
        return Entries{
            field("latency", &LinkRetryParams::latency,
                  "time from a packet's last bit in to the answer out, and from the answer in to the replay, together",
                  0_ps, 1_ms),
            field("replay_buffer", &LinkRetryParams::replay_buffer,
                  "sender's buffer of unacknowledged packets; below bandwidth * round trip it limits the rate", 64_B,
                  1_GiB),
        };
    }
};

inline constexpr auto reliabilities = Entries{
    kind<UnreliableParams>("none", "no retransmission"),
    kind<GoBackNParams>("go_back_n", "go-back-N: the receiver accepts packets in order only (RoCEv2)"),
    kind<SelectiveParams>("selective", "selective repeat: only missing packets are retransmitted (IRN)"),
    kind<LinkRetryParams>("link_retry", "each link replays the packets that it damaged (PCIe, CXL)"),
};
using Reliability = OneOf<reliabilities>;

}   // namespace oscar
