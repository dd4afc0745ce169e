#include "models/network/transport/ethernet_links.hpp"

#include "models/core/random.hpp"

namespace oscar {
namespace {

template <class P>
std::optional<P> chosen(const auto& kind) {
    const P* params = std::get_if<P>(&kind.params);
    return params ? std::optional(*params) : std::nullopt;
}

}   // namespace

EthernetLinks::EthernetLinks(PacketFabric& fabric, const FabricParams& params, const NetworkParams& network)
    : fabric_(fabric),
      flit_(params.flit),
      seed_(network.loss.seed),
      damage_(network.loss, params.links.size()),
      points_(network.congestion, params.links.size(), network.loss.seed),
      flights_(params.links.size()) {
    if (!chosen<CreditParams>(network.flow_control)) {
        buffers_.emplace(fabric, params, chosen<PfcParams>(network.flow_control), network.packet + network.header);
        fabric.lift_credits();
    }
    if (const auto retry = chosen<LinkRetryParams>(network.reliability))
        retry_ = {*retry, IndexedVector<EdgeId, Credits>(params.links.size(), Credits(retry->replay_buffer))};
    const bool damages = network.loss.rate > 0 || network.loss.bit_error_rate > 0;
    const bool faults = network.faults && network.faults->any();
    lands_ = buffers_ || chosen<DcqcnParams>(network.congestion) || (damages && !retry_) || faults;
}

void EthernetLinks::restart(std::uint64_t job_seed) {
    const std::uint64_t seed = job_seed == 0 ? seed_ : random_at(seed_, job_seed);
    damage_.restart(seed);
    points_.restart(seed);
    account_ = {};
}

void EthernetLinks::run(Fabric::Kind kind, const Event& event) {
    if (kind == Fabric::Kind::landing) come_down(EdgeId{event.a});
    else buffers_->run(kind, event);
}

Time EthernetLinks::room_at(const Hop& hop, Bytes wire, Time credited) const {
    if (buffers_ && buffers_->is_paused(hop)) return Fabric::never;
    return retry_ ? std::max(credited, retry_->buffers[hop.edge].when(wire)) : credited;
}

bool EthernetLinks::damages(const PacketFacts& packet, EdgeId edge) {
    const bool damaged = damage_.strikes(edge, packet.wire);
    account_.of(packet.background).damaged += damaged;
    return damaged;
}

/// At the end of its path.
bool EthernetLinks::fails(const WaitingPacket& next, const PacketFacts& packet) {
    if (next.hop < packet.path.size() || fabric_.transport().passes(packet.tag)) return false;
    ++account_.of(packet.background).damaged;
    return true;
}

Crossing EthernetLinks::transmit(const WaitingPacket& waiting, const Hop& hop, const Crossing& undisturbed) {
    const PacketFacts packet = fabric_.facts_of(waiting);
    if (waiting.hop > 0 && lands_) points_.leaves(hop.edge, packet.wire);
    ++account_.of(packet.background).sent;
    return retry_ ? replay(packet, hop, undisturbed) : undisturbed;
}

/// Sends until it comes whole; then the sender keeps it until it is acknowledged.
Crossing EthernetLinks::replay(const PacketFacts& packet, const Hop& hop, Crossing crossing) {
    const Time round_trip = 2 * fabric_.link(hop.edge).link.propagation + retry_->params.latency;
    TransportUse& use = account_.of(packet.background);
    while (damages(packet, hop.edge)) {
        ++use.replayed;
        ++use.sent;
        fabric_.account().of(hop.edge, packet.background).add(1, packet.wire.count, flits_of(packet.wire, flit_));
        const Time again = crossing.end + round_trip;
        crossing = fabric_.cross_link(hop.edge, packet.wire, again, {again, {}, {}});
    }
    Credits& buffer = retry_->buffers[hop.edge];
    buffer.take(packet.wire, fabric_.now());
    buffer.give_back(packet.wire, crossing.end + round_trip);
    return crossing;
}

void EthernetLinks::land(const WaitingPacket& next, const Hop& hop, Time taken) {
    if (!lands_) return take_whole(next, hop, taken);
    const PacketFacts packet = fabric_.facts_of(next);
    flights_[hop.edge].push_back({next, hop, taken, (!retry_ && damages(packet, hop.edge)) || fails(next, packet)});
    fabric_.post(Fabric::Kind::landing, next.ready.first - fabric_.link(hop.edge).egress_latency, hop.edge.value,
                 hop.edge.value);
}

/// The first flit of what flies first has come to the end of its link.
void EthernetLinks::come_down(EdgeId edge) {
    const Flight flight = flights_[edge].front();
    flights_[edge].pop_front();
    const PacketFacts packet = fabric_.facts_of(flight.next);
    if (flight.damaged) {
        if (!buffers_) fabric_.return_credit(flight.hop, packet.wire, flight.taken - fabric_.link(edge).egress_latency);
        return lose(flight, packet);
    }
    if (buffers_ && !take_room(flight, packet)) return lose(flight, packet);
    mark(flight, packet);
    take_whole(flight.next, flight.hop, flight.taken);
}

void EthernetLinks::take_whole(const WaitingPacket& next, const Hop& hop, Time taken) {
    ++account_.of(fabric_.facts_of(next).background).delivered;
    fabric_.forward(next, hop, taken);
}

bool EthernetLinks::take_room(const Flight& flight, const PacketFacts& packet) {
    TransportUse& use = account_.of(packet.background);
    const BufferEntry entry = buffers_->enter(flight.hop, packet.wire);
    use.dropped += entry == BufferEntry::dropped;
    use.paused += entry == BufferEntry::taken_with_pause;
    return entry != BufferEntry::dropped;
}

void EthernetLinks::lose(const Flight& flight, const PacketFacts& packet) {
    fabric_.close(flight.next.transfer);
    fabric_.transport().lost(packet.tag);
}

/// By what waits for the link that it takes next.
void EthernetLinks::mark(const Flight& flight, const PacketFacts& packet) {
    if (flight.next.hop == packet.path.size()) return;
    if (!points_.joins(packet.path[flight.next.hop].edge, packet.wire)) return;
    ++account_.of(packet.background).marked;
    fabric_.transport().marked(packet.tag);
}

void EthernetLinks::release(const Hop& hop, Bytes size, Time at) {
    if (buffers_) buffers_->release(hop, size, at);
    else fabric_.return_credit(hop, size, at);
}

void EthernetLinks::describe(CreditWait& wait) const {
    if (!buffers_) return;
    wait.free = buffers_->free(wait.hop);
    wait.paused = buffers_->is_paused(wait.hop);
}

}   // namespace oscar
