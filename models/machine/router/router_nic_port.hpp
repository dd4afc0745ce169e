// NIC port at a router: where a node's packets enter the network and leave it.
#pragma once

#include <cstdint>

#include "models/machine/base/waveform.hpp"
#include "models/machine/router/link_ends.hpp"
#include "models/machine/router/linked_router.hpp"
#include "models/network/grid/router_source.hpp"
#include "models/network/grid/source_ports.hpp"

namespace oscar {

/// The owner of the packets that enter and leave a grid of routers at its nodes.
struct RouterPacketOwner {
    virtual ~RouterPacketOwner() = default;
    /// The time at which the packet may leave its node.
    virtual Time eligible(RouterPacket packet) const = 0;
    /// The packet's node sends it from cycle `created` on.
    virtual RouterPacketStart begun(RouterPacket packet, Cycles created) = 0;
    /// A flit has reached its node.
    virtual void taken(const RouterFlit& flit, Time at) = 0;
};

/// Sends the packets that wait at a node, one after the other, a flit a cycle, into the virtual channels of its router
/// in turn; takes flits at once.
class RouterNicPort : public CycledModule {
public:
    /// `owner` must outlive it.
    RouterNicPort(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterPacketOwner& owner);

    sc_core::sc_export<VcFlitSink> in;
    sc_core::sc_port<CreditSink> credit_out;
    sc_core::sc_port<VcFlitSink> out;
    sc_core::sc_export<CreditSink> credit_in;

    /// The message joins a queue of the node, whose queues take turns packet by packet.
    void send(std::uint32_t queue, const RouterSource::Message& message);
    /// A job begins.
    void restart();

private:
    Cycles act(Cycles now) override;
    void begin_packet(Cycles now);
    bool send_flit(Cycles now);

    const RouterGridParams params_;
    RouterPacketOwner& owner_;
    RouterSource source_;
    SourcePorts port_;   ///< one
    FlitInput input_;
    CreditInput output_;
    Level* waiting_packets_;   ///< for a waveform: those that may leave
};

}   // namespace oscar
