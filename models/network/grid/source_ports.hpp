// Injection ports: where nodes put packets into their routers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/network/grid/router_flit.hpp"
#include "models/network/params/router_params.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// One a node: it sends the packet that it holds, a flit a cycle, into VCs of the router's port `node` in turn.
class SourcePorts {
public:
    SourcePorts(std::uint32_t nodes, const VcRouterParams& params);

    /// True if the node holds no packet.
    bool idle(NodeId node) const { return !ports_[node].busy; }
    /// Holds a packet of so many flits, at least one, whose head is `head`. Precondition: idle.
    void begin(NodeId node, const RouterFlit& head, std::uint32_t flits);

    /// A flit and the VC of the router's port `node` that it goes to.
    struct VcFlit {
        std::uint8_t vc;
        RouterFlit flit;
    };
    /// The next flit of the packet that the node holds, if a VC has room for it.
    std::optional<VcFlit> send(NodeId node);
    /// A credit for this VC of the router's port `node` can be used from now on.
    void credit(NodeId node, std::uint8_t vc) { ++credits_[node.value * vcs_ + vc]; }

    /// Flits for which this VC of the router's port `node` still has room.
    std::uint32_t credits(NodeId node, std::uint32_t vc) const { return credits_[node.value * vcs_ + vc]; }

private:
    struct Port {
        RouterFlit next;
        std::uint32_t flits = 1;   ///< of the packet
        std::uint8_t vc = 0;       ///< of the packet, or of the one before
        bool busy = false;
    };
    bool takes_a_packet(NodeId node, std::uint32_t vc) const;
    bool choose_vc(NodeId node);

    std::uint32_t vcs_, vc_flits_;
    VcReuse reuse_;
    IndexedVector<NodeId, Port> ports_;
    std::vector<std::uint32_t> credits_;   // per node and VC
};

}   // namespace oscar
