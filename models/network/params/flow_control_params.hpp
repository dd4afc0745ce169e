// Parameters of flow control: the sender's behaviour when the buffer at the far end of its link fills up.
#pragma once

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

/// A packet starts when all of it has room at the far end: nothing is lost, nothing is paused.
struct CreditParams {
    static constexpr auto fields() { return Entries{}; }
};

/// Priority flow control: the receiver of a link pauses its sender when the packets in its buffer exceed `xoff`, and
/// lets it go on when they have fallen to `xon`. A pause frame takes no time of the link it travels on: it goes before
/// all else; `response` holds what remains (a frame in transmission that it must wait for, both MACs).
/// Source: IEEE 802.1Qbb-2011, clause 36 and annex O.
struct PfcParams {
    Bytes xoff;
    Bytes xon;
    Time response;
    static constexpr auto fields() {
        return Entries{
            field("xoff", &PfcParams::xoff,
                  "buffer level above which the sender is paused; 0: link.buffer less the headroom, which is lossless",
                  0_B, 1_GiB),
            field("xon", &PfcParams::xon, "buffer level at or below which the sender resumes; 0: half of xoff", 0_B,
                  1_GiB),
            field("response", &PfcParams::response,
                  "time from the decision to pause to the sender's stop, without propagation", 0_ps, 1_ms),
        };
    }
};

/// Nobody waits: a packet that finds no room at the far end of its link is lost.
struct LossyParams {
    static constexpr auto fields() { return Entries{}; }
};

inline constexpr auto flow_controls = Entries{
    kind<CreditParams>("credit", "credits: a packet starts when the receive buffer has room for all of it"),
    kind<PfcParams>("pfc", "priority flow control (IEEE 802.1Qbb): pause frames at a threshold of the buffer"),
    kind<LossyParams>("lossy", "plain Ethernet: packets that find no room are dropped"),
};
using FlowControl = OneOf<flow_controls>;

}   // namespace oscar
