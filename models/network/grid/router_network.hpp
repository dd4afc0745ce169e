// A grid of input-queued virtual-channel routers, cycle by cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/network/grid/delay_line.hpp"
#include "models/network/grid/router_stages.hpp"
#include "models/network/grid/source_ports.hpp"
#include "models/network/grid/waits.hpp"

namespace oscar {

/// Wormhole flow control with a credit per flit of buffer: a head flit is given a VC of the next buffer, body flits
/// follow it, the tail gives it back; flits of different VCs share switch and links cycle by cycle. Nodes take flits at
/// once. Everything that acts on another router takes a cycle at least, so that the order of routers does not matter.
/// All routers share the delay lines; one line per link would halve the speed.
class RouterNetwork {
public:
    /// `packet_flits`: of packets of which nothing else is said.
    RouterNetwork(const RouterGrid& grid, const VcRouterParams& params, std::uint32_t packet_flits);

    /// True if the node holds no packet, and can be given one that it begins to send in the next step.
    bool idle(NodeId node) const { return sources_.idle(node); }
    /// Gives the node a packet of the default size for node `to`. Precondition: idle(node).
    void begin(NodeId node, NodeId to, Cycles created, std::uint8_t coins) {
        begin(node, to, created, coins, packet_flits_);
    }
    /// Gives the node a packet of `flits` flits: 1 to most_packet_flits.
    void begin(NodeId node, NodeId to, Cycles created, std::uint8_t coins, std::uint32_t flits);

    /// Simulates cycle now(), and advances to the next.
    void step();
    /// True if no flit and no credit is in flight, so that steps would do nothing until a packet begins.
    bool at_rest() const;
    /// Lets such cycles pass. Precondition: at_rest(), now() <= cycle.
    void skip_to(Cycles cycle) { now_ = cycle; }
    /// The cycle that the next step simulates.
    Cycles now() const { return now_; }
    /// Flits that reached their nodes in the last step.
    std::span<const RouterFlit> arrived() const { return arrived_; }

    /// A flit that left its node, or won the switch of a router towards a port.
    struct FlitDeparture {
        RouterId router;
        std::optional<Port> out;   ///< none: from the node to this router
        RouterFlit flit;
    };
    /// Keeps departures() from now on.
    void watch() { watched_ = true; }
    /// The flits that departed in the last step, by routers first and then by nodes. Empty without watch().
    std::span<const FlitDeparture> departures() const { return departures_; }

    /// Throws RouterDeadlock if flits are in flight and none has moved for `patience` cycles.
    void check_progress(Cycles patience) const;

    /// The number of flits that have left their nodes and not reached their destinations.
    std::uint64_t in_flight() const { return injected_ - ejected_; }
    /// The number of flits that have reached their destinations so far.
    std::uint64_t ejected() const { return ejected_; }
    std::uint64_t flit_hops() const { return flit_hops_; }   ///< links crossed, those to and from nodes included

    /// A buffer or credit count that does not add up, which would be a defect: credits, flits in the buffer and both in
    /// flight are the buffer's capacity, for every VC. For tests; slow.
    std::optional<std::string> find_conservation_problem() const;

private:
    struct Moving {
        Vc vc;   ///< input VC where it arrives, or output VC to a node
        RouterFlit flit;
    };

    RouterStages& router_of(Vc vc) { return routers_[RouterLayout::router_of(vc)]; }
    void receive();
    void arrive(const Moving& moving);
    void inject();
    void depart(RouterId router, const RouterStages::Departure& departure);
    RouterWaits waits() const;

    std::shared_ptr<const RouterLayout> layout_;   ///< of all routers
    std::uint32_t packet_flits_;
    IndexedVector<RouterId, RouterStages> routers_;
    SourcePorts sources_;
    DelayLine<Moving> from_sources_, between_routers_, to_nodes_;
    DelayLine<Vc> credits_, credits_to_sources_;   // output VCs; input VCs of ports `node`
    std::vector<RouterFlit> arrived_;
    bool watched_ = false;
    std::vector<FlitDeparture> departures_;
    Cycles now_ = 0, last_move_ = 0;
    std::uint64_t injected_ = 0, ejected_ = 0, flit_hops_ = 0;
};

}   // namespace oscar
