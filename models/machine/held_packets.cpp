#include "models/machine/held_packets.hpp"

#include <algorithm>

namespace oscar {

HeldPackets::HeldPackets(Fabric& fabric, PacketDispatch& dispatch)
    : fabric_(fabric), dispatch_(dispatch), any_(std::ranges::any_of(fabric.links(), &FabricLink::held)) {}

void HeldPackets::arrived(const PacketName& packet) {
    if (!any_) return dispatch_.arrived(packet, fabric_.now());
    const EdgeId edge = dispatch_.last_hop(packet).edge;
    if (!fabric_.link(edge).held) return dispatch_.arrived(packet, fabric_.now());
    Fifo<Held>& waiting = waiting_[edge];
    waiting.push_back({packet, fabric_.now()});
    if (waiting.size() == 1) leave(edge);
}

void HeldPackets::leave(EdgeId edge) {
    Fifo<Held>& waiting = waiting_[edge];
    while (!waiting.empty() && dispatch_.admits(waiting.front().packet, edge)) {
        const auto [packet, came] = waiting.front();
        waiting.pop_front();
        fabric_.return_credit(dispatch_.last_hop(packet), dispatch_.wire_of(packet), fabric_.now());
        dispatch_.arrived(packet, came);
    }
}

}   // namespace oscar
