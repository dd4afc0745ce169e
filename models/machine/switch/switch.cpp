#include "models/machine/switch/switch.hpp"

#include <utility>

namespace oscar {

Switch::Switch(const sc_core::sc_module_name& name, LinkedModuleParams given, PacketOwner& owner)
    : PortModule(name, std::move(given), owner), arriving_(params().inputs.size()) {}

void Switch::receive(std::uint32_t input, const Flit& flit, ExactTime, ExactTime end) {
    if (flit.last_hop()) return take(input, flit, end);
    const ExactTime ready = end + params().inputs[input].latency;
    Arriving& arriving = arriving_[input];
    if (flit.head()) {
        Flit onward = flit;
        ++onward.hop;
        arriving.port = &port_to(onward.link().edge);
        arriving.packet = &arriving.port->join(QueueKey::after(flit.link()), onward, ready.rounded_up(), input);
    }
    arriving.port->add(*arriving.packet, ready);
}

}   // namespace oscar
