#include "models/network/grid/source_ports.hpp"

namespace oscar {

SourcePorts::SourcePorts(std::uint32_t nodes, const VcRouterParams& params)
    : vcs_(params.vcs),
      vc_flits_(params.vc_flits),
      reuse_(params.reuse),
      ports_(nodes),
      credits_(std::size_t{nodes} * params.vcs, params.vc_flits) {
    for (Port& port : ports_) port.vc = static_cast<std::uint8_t>(vcs_ - 1);   // so that the first is VC 0
}

void SourcePorts::begin(NodeId node, const RouterFlit& head, std::uint32_t flits) {
    Port& port = ports_[node];
    port.next = head;
    port.next.tail = flits == 1;
    port.flits = flits;
    port.busy = true;
}

bool SourcePorts::takes_a_packet(NodeId node, std::uint32_t vc) const {
    const std::uint32_t credits = credits_[node.value * vcs_ + vc];
    return reuse_ == VcReuse::when_empty ? credits == vc_flits_ : credits > 0;
}

bool SourcePorts::choose_vc(NodeId node) {
    Port& port = ports_[node];
    std::uint32_t vc = port.vc;
    for (std::uint32_t k = 0; k < vcs_; ++k) {
        vc = vc + 1 == vcs_ ? 0 : vc + 1;
        if (!takes_a_packet(node, vc)) continue;
        port.vc = static_cast<std::uint8_t>(vc);
        return true;
    }
    return false;
}

std::optional<SourcePorts::VcFlit> SourcePorts::send(NodeId node) {
    Port& port = ports_[node];
    if (!port.busy || (port.next.head() && !choose_vc(node))) return std::nullopt;
    std::uint32_t& credits = credits_[node.value * vcs_ + port.vc];
    if (credits == 0) return std::nullopt;
    --credits;
    const VcFlit sent{port.vc, port.next};
    port.busy = !port.next.tail;
    ++port.next.sequence;
    port.next.tail = port.next.sequence + 1u == port.flits;
    return sent;
}

}   // namespace oscar
