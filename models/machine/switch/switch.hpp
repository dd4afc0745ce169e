// Switch: output-queued, virtual cut-through, round robin.
#pragma once

#include <vector>

#include "models/machine/flit/port_module.hpp"

namespace oscar {

/// Forwards a packet as its flits come, each one `latency` of its input after its arrival. A packet waits in the queue
/// of the link and channel that it came by, at the port that it leaves by.
class Switch : public PortModule {
public:
    Switch(const sc_core::sc_module_name& name, LinkedModuleParams params, PacketOwner& owner);

protected:
    void receive(std::uint32_t input, const Flit& flit, ExactTime begin, ExactTime end) override;

private:
    struct Arriving {
        OutputPort* port = nullptr;
        QueuedPacket* packet = nullptr;
    };
    std::vector<Arriving> arriving_;   ///< per input, the packet whose flits come by it
};

}   // namespace oscar
