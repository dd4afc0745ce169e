#include "models/hw/switch.hpp"

#include <algorithm>

namespace oscar {

Switch::Switch(const sc_core::sc_module_name& name, const SwitchParams& params, std::uint32_t node,
               const Topology& topology)
    : sc_module(name), params_(params), node_(node), topology_(topology), output_of_edge_(topology.edges.size()) {}

void Switch::add_input(std::uint32_t, Link& link) { inputs_.push_back(&link); }

void Switch::add_output(std::uint32_t edge, Link& link) {
    output_of_edge_[edge] = outputs_.size();
    outputs_.push_back(std::make_unique<OutputPort>(sc_core::sc_gen_unique_name("output"), link, inputs_.size(),
                                                    [this](std::size_t input, const Queued& sent, Time, Time end) {
                                                        inputs_[input]->release(sent.packet.wire(), end);
                                                    }));
}

void Switch::receive(const Packet& packet, Time tail, Link& link) {
    const auto input = static_cast<std::size_t>(std::ranges::find(inputs_, &link) - inputs_.begin());
    const auto hop = std::ranges::find(packet.route, node_, [&](const Hop& h) { return topology_.edges[h.edge].from; });
    outputs_[output_of_edge_[hop->edge]]->push(input, {packet, now() + params_.latency, tail + params_.latency});
}

}   // namespace oscar
