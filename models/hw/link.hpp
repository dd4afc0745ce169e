// One direction of a cable: serialization, propagation, and the credits of the buffer at its far end.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "models/engine/servers.hpp"
#include "models/hw/kernel.hpp"
#include "models/net/packet.hpp"
#include "models/net/params.hpp"

namespace oscar {

class Link;

/// Where a link ends. `receive` is called when the first flit has arrived; the last arrives at `tail`. The packet then
/// occupies the buffer of `link` until the receiver calls link.release.
struct PacketSink {
    virtual ~PacketSink() = default;
    virtual void receive(const Packet& packet, Time tail, Link& link) = 0;
};

/// What a link has carried since the last clear.
struct LinkUse {
    std::string name;         ///< "rank0->switch0"
    std::vector<Span> busy;   ///< when bits were on its sender's side
    std::uint64_t packets = 0, wire_bytes = 0, flits = 0;
};

class Link : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Link);
    Link(const sc_core::sc_module_name& name, std::string label, const LinkParams& params, Bytes flit,
         PacketSink& sink);

    // The sender's side.
    /// When the sender may put the next first bit on the wire.
    Time free_at() const { return free_at_; }
    /// Credits that have come back by now.
    Bytes credits();
    /// When the next credits come back; nothing if none are on their way.
    std::optional<Time> next_credit() const;
    /// Begins to send now; the last flit leaves no earlier than `tail_ready` plus its own serialization (cut-through
    /// from a slower link). Returns when the last bit has left. Precondition: free, and credits() >= packet.wire().
    Time send(const Packet& packet, Time tail_ready);
    /// Called with the time at which credits come back, whenever some are released.
    void on_credit(std::function<void(Time)> call) { on_credit_ = std::move(call); }

    // The receiver's side.
    /// Room of `size` becomes free at `at` >= now; the sender knows one propagation later.
    void release(Bytes size, Time at);

    /// When the last credit known so far is back.
    Time settled_at() const { return settled_at_; }

    const LinkUse& use() const { return use_; }
    void clear_use();
    const std::string& label() const { return label_; }
    const LinkParams& params() const { return params_; }

private:
    struct Arrival {
        Packet packet;
        Time head, tail;
    };
    struct Credit {
        Time at;
        Bytes size;
        bool operator<(const Credit& other) const { return other.at < at; }   // earliest on top
    };
    void deliver();

    std::string label_;
    LinkParams params_;
    Bytes flit_;
    PacketSink& sink_;
    Time free_at_;
    Bytes credits_;
    std::priority_queue<Credit> returning_;
    Time settled_at_;
    std::deque<Arrival> flying_;
    sc_core::sc_event arrival_;
    std::function<void(Time)> on_credit_;
    LinkUse use_;
};

}   // namespace oscar
