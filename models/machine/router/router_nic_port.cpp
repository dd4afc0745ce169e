#include "models/machine/router/router_nic_port.hpp"

#include <algorithm>

#include "models/machine/base/kernel_time.hpp"

namespace oscar {
namespace {

constexpr NodeId only_node{0};   // of the SourcePorts

}   // namespace

RouterNicPort::RouterNicPort(const sc_core::sc_module_name& name, const RouterGridParams& params,
                             RouterPacketOwner& owner)
    : CycledModule(name, params.clock, Phase::second),
      in("in"),
      credit_out("credit_out"),
      out("out"),
      credit_in("credit_in"),
      params_(params),
      owner_(owner),
      source_([&owner](RouterPacket packet) { return owner.eligible(packet); }),
      port_(1, params.layout.params),
      input_(*this, 0),
      output_(*this, 0, [this] { return !port_.idle(only_node); }),
      waiting_packets_(level_of(params.waveform, this->name(), "queue")) {
    in.bind(input_);
    credit_in.bind(output_);
}

void RouterNicPort::restart() {
    restart_cycles();
    source_.restart();
    port_ = SourcePorts(1, params_.layout.params);
    input_.clear();
    output_.clear();
}

void RouterNicPort::send(std::uint32_t queue, const RouterSource::Message& message) {
    source_.send(queue, message);
    for (std::uint32_t i = 0; waiting_packets_ != nullptr && i < message.packets; ++i)
        waiting_packets_->add(std::max(owner_.eligible({message.transfer, i}), kernel_now()), 1);
    if (port_.idle(only_node)) wake(clock().first_from(*source_.first_eligible()));
}

Cycles RouterNicPort::act(Cycles now) {
    output_.receive(now, [&](std::uint8_t vc) { port_.credit(only_node, vc); });
    input_.receive(now, [&](std::uint8_t vc, const RouterFlit& flit) {
        credit_out->give_back(vc, params_.flit, clock().begin_of(now + 2));
        owner_.taken(flit, clock().begin_of(now));
    });
    if (port_.idle(only_node)) begin_packet(now);
    const bool sent = send_flit(now);
    if (!port_.idle(only_node)) return std::min(input_.next(), sent ? now + 1 : output_.next());
    const auto first = source_.first_eligible();
    return std::min(input_.next(), first ? std::max(now + 1, clock().first_from(*first)) : no_cycle);
}

void RouterNicPort::begin_packet(Cycles now) {
    const auto packet = source_.next(clock().begin_of(now));
    if (!packet) return;
    const auto [head, flits] = owner_.begun(*packet, now);
    port_.begin(only_node, head, flits);
    if (waiting_packets_ != nullptr) waiting_packets_->add(clock().begin_of(now), -1);
}

/// A flit is on the link in the cycle in which it is sent.
bool RouterNicPort::send_flit(Cycles now) {
    const auto sent = port_.send(only_node);
    if (!sent) return false;
    const Time end = clock().begin_of(now + 1);
    if (sent->flit.tail) source_.left(end);
    out->put(sent->vc, sent->flit, clock().begin_of(now), end);
    return true;
}

}   // namespace oscar
