// A module with an output port before each of its links: NIC ports and switches.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/machine/flit/linked_module.hpp"

namespace oscar {

/// The owner of the packets that enter and leave the network at a module.
struct PacketOwner {
    virtual ~PacketOwner() = default;
    /// The packet's bits are on its first link from `begin` to `end`. Told when its tail is sent.
    virtual void departed(const PacketHeader& packet, Time begin, Time end) = 0;
    /// The packet is taken from the network at `at`; `tail` is on the last link of its path. Told when its tail is put.
    virtual void taken(const Flit& tail, Time at) = 0;
};

/// Packets may begin and end here, even in a switch: a switch that adds takes part in a collective.
class PortModule : public LinkedModule {
public:
    /// `owner` must outlive it.
    PortModule(const sc_core::sc_module_name& name, LinkedModuleParams params, PacketOwner& owner);

    /// A packet joins the source queue `queue` of its path's first link; it may leave from `eligible` >= now on.
    void send(const PacketHeader& packet, std::uint64_t queue, Time eligible);

    void restart() override;
    std::uint64_t activations() const override;
    std::optional<CreditWait> blocked_on(std::uint32_t output, std::uint8_t channel) const override;
    std::optional<std::uint8_t> waits_at(std::uint32_t output, const Hop& from) const override;

protected:
    void credited(std::uint32_t output, std::uint8_t channel, Bytes size, Time at) override;
    /// A flit on the last hop of its path: with the tail, the packet is taken `latency` of the input after its arrival.
    void take(std::uint32_t input, const Flit& flit, ExactTime end);
    OutputPort& port_to(EdgeId edge);

private:
    void sent(const QueuedPacket& packet, Time begin, Time end);

    PacketOwner& owner_;
    std::deque<OutputPort> ports_;
};

}   // namespace oscar
