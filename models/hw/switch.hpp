// A cut-through switch.
#pragma once

#include <memory>
#include <vector>

#include "models/hw/output_port.hpp"
#include "models/net/params.hpp"
#include "models/net/topology.hpp"

namespace oscar {

/// Forwards each packet `latency` after its first flit has come in, to the output that the route tells. Each output has
/// a queue per input and takes turns between them; a packet occupies the buffer of its input until its last bit leaves.
class Switch : public sc_core::sc_module, public PacketSink {
public:
    Switch(const sc_core::sc_module_name& name, const SwitchParams& params, std::uint32_t node,
           const Topology& topology);

    /// Cables the switch; all inputs first. Edges are those of the topology that end, or begin, at this node.
    void add_input(std::uint32_t edge, Link& link);
    void add_output(std::uint32_t edge, Link& link);

    void receive(const Packet& packet, Time tail, Link& link) override;

    const std::vector<std::unique_ptr<OutputPort>>& outputs() const { return outputs_; }

private:
    SwitchParams params_;
    std::uint32_t node_;
    const Topology& topology_;
    std::vector<Link*> inputs_;
    std::vector<std::size_t> output_of_edge_;
    std::vector<std::unique_ptr<OutputPort>> outputs_;
};

}   // namespace oscar
