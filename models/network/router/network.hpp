// A grid of input-queued virtual-channel routers, cycle by cycle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/network/router/delay_line.hpp"
#include "models/network/router/grid.hpp"
#include "models/network/router/islip.hpp"
#include "models/network/router/router_flit.hpp"
#include "models/network/router/source_ports.hpp"

namespace oscar {

/// No flit can move any more. what() names a cycle of waits: routers, input ports and VCs.
struct RouterDeadlock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Wormhole flow control with a credit per flit of buffer: a head flit is given a VC of the next buffer, body flits
/// follow it, the tail gives it back; flits of different VCs share switch and links cycle by cycle. Nodes take flits at
/// once. Everything that acts on another router takes a cycle at least, so that the order of routers does not matter.
/// It has more than 20 functions and 12 members: each stage of a router acts on all routers in a cycle, over flat
/// arrays that the stages share, because a router of its own for each would cost half of the speed.
class RouterNetwork {
public:
    /// `packet_flits`: of packets of which nothing else is said.
    RouterNetwork(const RouterGrid& grid, const VcRouterParams& params, std::uint32_t packet_flits);

    /// Whether the node holds no packet, and can be given one that it begins to send in the next step.
    bool idle(std::uint32_t node) const { return sources_.idle(node); }
    void begin(std::uint32_t node, std::uint32_t to, Cycles created, std::uint8_t coins) {
        begin(node, to, created, coins, packet_flits_);
    }
    /// The same for a packet of so many flits: 1 to most_packet_flits.
    void begin(std::uint32_t node, std::uint32_t to, Cycles created, std::uint8_t coins, std::uint32_t flits);

    void step();
    /// Whether no flit and no credit is on its way, so that steps would do nothing until a packet begins.
    bool at_rest() const;
    /// Lets such cycles pass. Precondition: at_rest(), now() <= cycle.
    void skip_to(Cycles cycle) { now_ = cycle; }
    /// The cycle that the next step simulates.
    Cycles now() const { return now_; }
    /// Flits that reached their nodes in the last step.
    std::span<const RouterFlit> arrived() const { return arrived_; }

    /// A flit that left its node, or won the switch of a router towards a port.
    struct Sent {
        std::uint32_t router;
        std::optional<Port> out;   ///< none: from the node to this router
        RouterFlit flit;
    };
    /// Keeps sent() from now on.
    void watch() { watched_ = true; }
    /// In the last step: flits of routers, then those of nodes.
    std::span<const Sent> sent() const { return sent_; }

    /// Throws RouterDeadlock if flits are in flight and none has moved for `patience` cycles.
    void check_progress(Cycles patience) const;

    std::uint64_t in_flight() const { return injected_ - ejected_; }
    std::uint64_t ejected() const { return ejected_; }
    std::uint64_t flit_hops() const { return flit_hops_; }   ///< links crossed, those to and from nodes included

    /// A buffer or credit count that does not add up, which would be a defect: credits, flits in the buffer and both
    /// under way are the buffer's capacity, for every VC. For tests; slow.
    std::optional<std::string> find_conservation_problem() const;

private:
    /// Numbers of VCs, input and output: 64 * router + port * vcs + vc. The last six bits are `local` to the router.
    using Vc = std::uint32_t;
    struct InputVc {
        std::optional<Vc> output;   ///< VC that its packet has been given
        Port port = Port::node;     ///< where the packet at its front goes
        std::uint8_t classes = 0;   ///< set of VC classes that packet may take
        bool eligible = false;      ///< its front flit is in the last cycle of switch allocation
    };
    struct OutputVc {
        std::uint32_t credits = 0;
        std::optional<Vc> owner;   ///< input VC of the packet that it has been given to
    };
    /// Sets of local VCs and of ports, and the allocators.
    struct Router {
        std::array<std::array<Mask, 2>, router_ports> requests{};   ///< for a VC: input VCs by output port and class
        std::array<Mask, router_ports> ready{};                     ///< for the switch: input VCs by output port
        Mask free = 0;                                              ///< output VCs that can be given to a packet
        std::array<std::uint8_t, 64> turn{};   ///< local VC whose turn it is at each input of the switch
        Islip vc_alloc, sw_alloc;
    };
    struct Moving {
        Vc vc;   ///< input VC where it arrives, or output VC to a node
        RouterFlit flit;
    };
    struct Grant {
        std::uint32_t input, output;   ///< local VCs
    };

    Vc number(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        return 64 * router + port * vcs_ + vc;
    }
    static constexpr std::uint32_t router_of(Vc vc) { return vc / 64; }
    static constexpr std::uint32_t local(Vc vc) { return vc % 64; }

    void connect(std::uint32_t router);
    void receive();
    void arrive(const Moving& moving);
    void take_credit(Vc output);
    void inject();
    void step_router(std::uint32_t router);
    void allocate_vcs(Router& state);
    void allocate_switch(Router& state, std::uint32_t router);
    void give_vc(std::uint32_t router, Grant grant);
    void depart(Vc input);
    void release_if_free(Vc output);

    void begin_packet(Vc input, Cycles from);
    void raise_vc_request(Vc input);
    void request_switch(Vc input, Cycles from);
    void update_ready(Vc input);

    std::optional<Vc> blocker_of(Vc input) const;
    std::string cycle_of_waits() const;
    std::string name_of(Vc input) const;
    template <class F>
    void for_each_vc(F&& f) const;

    const RouterGrid grid_;
    const VcRouterParams params_;
    const std::uint32_t packet_flits_;
    const std::uint32_t vcs_;
    const std::uint32_t vc_request_cycles_;                 // before the last of VC allocation
    std::array<Mask, router_ports> port_vcs_{};             // local VCs of each port
    std::vector<Mask> switch_vcs_;                          // and of each input of the switch
    std::array<Mask, 2> class_vcs_{};                       // of each class
    std::array<std::uint8_t, 64> port_of_{}, class_of_{};   // of local VCs
    std::vector<Vc> across_;   // the VC at the other end of the link of an input or output VC
    std::vector<Router> routers_;
    std::vector<InputVc> inputs_;
    std::vector<OutputVc> outputs_;
    FlitBuffers buffers_;   // of input VCs
    SourcePorts sources_;
    DelayLine<Moving> from_sources_, between_routers_, to_nodes_;
    DelayLine<Vc> credits_, credits_to_sources_;    // output VCs; input VCs of ports `node`
    DelayLine<Vc> vc_requests_, switch_requests_;   // input VCs, until the last cycle of the allocation
    std::vector<RouterFlit> arrived_;
    std::vector<Grant> granted_;
    bool watched_ = false;
    std::vector<Sent> sent_;
    Cycles now_ = 0, last_move_ = 0;
    std::uint64_t injected_ = 0, ejected_ = 0, flit_hops_ = 0;
};

}   // namespace oscar
