#include "models/network/transport/receive_buffers.hpp"

namespace oscar {
namespace {

constexpr Bytes unbounded{std::uint64_t{1} << 62};

}   // namespace

ReceiveBuffers::ReceiveBuffers(PacketFabric& fabric, const FabricParams& params, const std::optional<PfcParams>& pfc,
                               Bytes largest)
    : fabric_(fabric), channels_(params.channels), response_(pfc ? pfc->response : Time{}) {
    for (const FabricLink& link : params.links) {
        Bytes xoff = unbounded, xon;
        if (pfc) {
            const PfcParams thresholds = resolved(*pfc, link.link, params.flit, largest);
            xoff = thresholds.xoff, xon = thresholds.xon;
        }
        for (std::uint32_t c = 0; c < channels_; ++c) buffers_.push_back({PauseGate(xoff, xon)});
    }
}

Bytes ReceiveBuffers::free(const Hop& hop) const {
    return fabric_.link(hop.edge).link.buffer - buffers_[index_of(hop)].gate.filled();
}

BufferEntry ReceiveBuffers::enter(const Hop& hop, Bytes wire) {
    if (free(hop) < wire) return BufferEntry::dropped;
    const std::uint32_t index = index_of(hop);
    if (buffers_[index].gate.arrived(wire) != PauseChange::pause) return BufferEntry::taken;
    tell(index, true);
    return BufferEntry::taken_with_pause;
}

void ReceiveBuffers::release(const Hop& hop, Bytes wire, Time at) {
    fabric_.settle(at + fabric_.link(hop.edge).link.propagation);
    fabric_.post(Fabric::Kind::leaving, at, index_of(hop), index_of(hop), static_cast<std::uint32_t>(wire.count));
}

void ReceiveBuffers::run(Fabric::Kind kind, const Event& event) {
    if (kind == Fabric::Kind::pausing) obey(event.a, event.b != 0);
    else if (buffers_[event.a].gate.left(Bytes{event.b}) == PauseChange::resume) tell(event.a, false);
}

/// Sends the sender of a link a pause frame, or one that lets it go on.
void ReceiveBuffers::tell(std::uint32_t index, bool pause) {
    const Time at = fabric_.now() + fabric_.link(edge_of(index)).link.propagation + response_;
    fabric_.settle(at);
    fabric_.post(Fabric::Kind::pausing, at, std::uint64_t{index} * 2 + pause, index, pause);
}

void ReceiveBuffers::obey(std::uint32_t index, bool pause) {
    buffers_[index].paused = pause;
    if (!pause) fabric_.decide_at(edge_of(index), fabric_.now());
}

}   // namespace oscar
