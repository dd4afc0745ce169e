// The interface between a module and a link: flits go one way, credits come back.
//
// A link joins an output of one module to an input of another, in one direction. Whoever writes a switch of their own
// implements FlitSink for each input and CreditSink for each output, and calls the link through ports of the same types
// (models/machine/flit/linked_module.hpp has the ports ready; examples/custom-switch is a switch of a user's own).
//
//   output  --put(flit)-->  link  --put(flit), one propagation later-->  input
//   output  <--give_back--  link  <--give_back(bytes)------------------  input
//
// Time is in the arguments, not in the call. A call says when bits pass, in exact fractions of a picosecond, and is
// made at the latest when the first of them does. It may be made earlier, as soon as the caller knows the times; the
// callee then keeps the flit until its time has come. The callee returns at once and does not wait. The rules:
//
// * Flits of a link do not overlap, and their times do not decrease. The flits of a packet follow each other with no
//   flit of another packet between them.
// * A packet starts only when its channel has credit for the whole of it (virtual cut-through). The buffer's size is
//   the credit at the beginning; a packet's bytes come back when its tail has left the buffer.
// * Decisions of an instant are made after everything has arrived at it: a module that chooses between packets at time
//   t does so one delta cycle after its event at t, because other packets may still arrive in the first one.
#pragma once

#include <cstdint>
#include <span>

#include <systemc>

#include "models/network/link/exact_time.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// The header of a packet, which is all that a switch knows of it: its name, its route and its size.
struct PacketHeader {
    std::uint64_t tag = 0;        ///< the message's name
    std::uint32_t sequence = 0;   ///< within the message
    std::uint32_t transfer = 0;   ///< the message's number while it is in flight; no switch needs it
    std::uint64_t order = 0;      ///< of packets that begin to wait at one instant, the smaller is served first
    std::span<const Hop> path;    ///< source route: links and their virtual channels
    Bytes wire;                   ///< size with header
};

/// A part of a packet, on one link of its path.
struct Flit {
    PacketHeader packet;
    std::uint32_t hop = 0;      ///< position in packet.path of the link that it crosses
    std::uint64_t number = 0;   ///< within the packet
    bool tail = false;          ///< the last one
    bool head() const { return number == 0; }
    /// The link that it crosses, with the virtual channel whose buffer it enters.
    const Hop& link() const { return packet.path[hop]; }
    /// True if the link ends at the packet's destination.
    bool last_hop() const { return hop + 1 == packet.path.size(); }
};

/// Takes flits from a link, or for it.
struct FlitSink : virtual sc_core::sc_interface {
    /// The flit's bits pass from `begin` to `end`.
    virtual void put(const Flit& flit, ExactTime begin, ExactTime end) = 0;
};

/// Takes credits from a link, or for it.
struct CreditSink : virtual sc_core::sc_interface {
    /// `size` bytes of the channel's buffer are free from `at` on, which is not before the time of the call.
    virtual void give_back(std::uint8_t channel, Bytes size, Time at) = 0;
};

}   // namespace oscar
