#include "models/machine/flit/port_module.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {

PortModule::PortModule(const sc_core::sc_module_name& name, LinkedModuleParams given, PacketOwner& owner)
    : LinkedModule(name, std::move(given)), owner_(owner) {
    for (std::uint32_t i = 0; i < params().outputs.size(); ++i) {
        ports_.emplace_back(("port" + std::to_string(i)).c_str(), params().outputs[i].port,
                            [this](const QueuedPacket& packet, Time begin, Time end) { sent(packet, begin, end); });
        ports_.back().out.bind(out[i]);
    }
}

void PortModule::send(const PacketHeader& packet, std::uint64_t queue, Time eligible) {
    port_to(packet.path.front().edge).join({false, queue}, {packet, 0, 0, false}, eligible);
}

void PortModule::restart() {
    for (OutputPort& port : ports_) port.restart();
}

std::uint64_t PortModule::activations() const {
    std::uint64_t sum = 0;
    for (const OutputPort& port : ports_) sum += port.activations();
    return sum;
}

std::optional<CreditWait> PortModule::blocked_on(std::uint32_t output, std::uint8_t channel) const {
    return ports_[output].blocked_on(channel);
}

std::optional<std::uint8_t> PortModule::waits_at(std::uint32_t output, const Hop& from) const {
    return ports_[output].channel_of(QueueKey::after(from));
}

void PortModule::credited(std::uint32_t output, std::uint8_t channel, Bytes size, Time at) {
    ports_[output].give_back(channel, size, at);
}

void PortModule::take(std::uint32_t input, const Flit& flit, ExactTime end) {
    if (!flit.tail) return;
    const Time at = end.rounded_up() + params().inputs[input].latency;
    if (!params().inputs[input].held) credit_out[input]->give_back(flit.link().channel, flit.packet.wire, at);
    owner_.taken(flit, at);
}

OutputPort& PortModule::port_to(EdgeId edge) {
    for (std::size_t i = 0; i < ports_.size(); ++i)
        if (params().outputs[i].edge == edge) return ports_[i];
    throw std::invalid_argument(std::string(name()) + " has no link " + std::to_string(edge.value));
}

/// A forwarded packet has left the buffer that it came into.
void PortModule::sent(const QueuedPacket& packet, Time begin, Time end) {
    const Flit& tail = packet.next;
    if (!packet.queue.forwarded) return owner_.departed(tail.packet, begin, end);
    credit_out[packet.input]->give_back(tail.packet.path[tail.hop - 1].channel, tail.packet.wire, end);
}

}   // namespace oscar
