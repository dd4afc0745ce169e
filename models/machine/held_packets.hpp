// Packets that have come to the ends of their paths and stay in the buffers of their last links until NICs have room.
#pragma once

#include <map>

#include "models/machine/packet_dispatch.hpp"
#include "models/network/event/fifo.hpp"

namespace oscar {

/// Those of one link leave its buffer in the order in which they have come; then their credits return, and their NIC
/// has them.
class HeldPackets {
public:
    /// The fabric must outlive it.
    explicit HeldPackets(Fabric& fabric);

    /// A packet of the job of `dispatch` has come. Where buffers are not held, its NIC has it at once.
    void arrived(PacketDispatch& dispatch, const PacketName& packet);
    /// The next packets at the end of a link leave, as far as there is room.
    void leave(EdgeId edge);

private:
    struct Held {
        PacketDispatch* dispatch;   ///< of its job
        PacketName packet;
        Time came;
    };
    Fabric& fabric_;
    bool any_;   ///< some buffers are held
    std::map<EdgeId, Fifo<Held>> waiting_;
};

}   // namespace oscar
