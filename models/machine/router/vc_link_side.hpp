// The interface between routers and links: flits go one way, credits come back.
//
// Links of routers carry flits of many packets in turn, each on a virtual channel that the router before chose, and a
// credit is room for one flit. Credits return by the same interface as those of switches (models/machine/flit/
// link_side.hpp): give_back(channel, size, at). Flits do not, since that interface sends packet behind packet on
// channels that their senders chose.
//
// Time is in the arguments, as there: a call is made at the latest when the first bit passes, the callee keeps the flit
// until its time has come, and returns at once. Flits of a link do not overlap, and their times do not decrease.
#pragma once

#include <cstdint>

#include "models/machine/flit/link_side.hpp"
#include "models/network/grid/router_flit.hpp"

namespace oscar {

/// Takes flits from a link of a router, or for it.
struct VcFlitSink : virtual sc_core::sc_interface {
    /// The bits of a flit for the virtual channel `vc` of the buffer at the link's end pass from `begin` to `end`.
    virtual void put(std::uint8_t vc, const RouterFlit& flit, Time begin, Time end) = 0;
};

}   // namespace oscar
