#include "models/machine/held_packets.hpp"

#include <algorithm>

namespace oscar {

HeldPackets::HeldPackets(Fabric& fabric)
    : fabric_(fabric), any_(std::ranges::any_of(fabric.links(), &FabricLink::held)) {}

void HeldPackets::arrived(PacketDispatch& dispatch, const PacketName& packet) {
    if (!any_) return dispatch.arrived(packet, fabric_.now());
    const EdgeId edge = dispatch.last_hop(packet).edge;
    if (!fabric_.link(edge).held) return dispatch.arrived(packet, fabric_.now());
    Fifo<Held>& waiting = waiting_[edge];
    waiting.push_back({&dispatch, packet, fabric_.now()});
    if (waiting.size() == 1) leave(edge);
}

void HeldPackets::leave(EdgeId edge) {
    Fifo<Held>& waiting = waiting_[edge];
    while (!waiting.empty() && waiting.front().dispatch->admits(waiting.front().packet, edge)) {
        const auto [dispatch, packet, came] = waiting.front();
        waiting.pop_front();
        fabric_.return_credit(dispatch->last_hop(packet), dispatch->wire_of(packet), fabric_.now());
        dispatch->arrived(packet, came);
    }
}

}   // namespace oscar
