#include "models/network/transport/ethernet_fabric.hpp"

#include <algorithm>

#include "models/core/random.hpp"
#include "models/network/transport/damage.hpp"
#include "models/network/transport/dcqcn.hpp"

namespace oscar {
namespace {

constexpr Bytes unbounded{std::uint64_t{1} << 62};

template <class P>
bool is(const auto& kind) {
    return std::holds_alternative<P>(kind.params);
}

/// Without credits a sender knows nothing of the buffers.
FabricParams without_credits(FabricParams params, const NetworkParams& network) {
    if (!is<CreditParams>(network.flow_control))
        for (FabricLink& link : params.links) link.link.buffer = unbounded;
    return params;
}

}   // namespace

EthernetFabric::EthernetFabric(const FabricParams& params, const NetworkParams& network, FabricClient& client)
    : PacketFabric(without_credits(params, network), client),
      network_(network),
      draws_(network.loss.seed),
      by_credit_(is<CreditParams>(network.flow_control)),
      retries_(is<LinkRetryParams>(network.reliability)),
      flights_(params.links.size()),
      transmissions_(params.links.size()),
      landings_(params.links.size()),
      queued_(params.links.size()) {
    const bool damages = network.loss.rate > 0 || network.loss.bit_error_rate > 0;
    const bool faults = network.faults && network.faults->any();
    lands_ = !by_credit_ || is<DcqcnParams>(network.congestion) || (damages && !retries_) || faults;
    params_.links = params.links;
    for (std::uint32_t edge = 0; edge < params.links.size(); ++edge) add_buffers(edge);
}

void EthernetFabric::add_buffers(std::uint32_t edge) {
    const LinkParams& cable = link(edge).link;
    Bytes xoff = unbounded, xon;
    if (const auto* pfc = std::get_if<PfcParams>(&network_.flow_control.params)) {
        const PfcParams thresholds = resolved(*pfc, cable, params_.flit, network_.packet + network_.header);
        xoff = thresholds.xoff, xon = thresholds.xon;
    }
    for (std::uint32_t c = 0; c < params_.channels; ++c) buffers_.push_back({PauseGate(xoff, xon)});
    if (retries_) replay_.emplace_back(std::get<LinkRetryParams>(network_.reliability.params).replay_buffer);
}

void EthernetFabric::restart(std::uint64_t draw) {
    PacketFabric::restart(draw);
    draws_ = draw == 0 ? network_.loss.seed : random_at(network_.loss.seed, draw);
    use_ = background_use_ = {};
    std::ranges::fill(transmissions_, 0);
    std::ranges::fill(landings_, 0);
}

Hop EthernetFabric::hop_at(std::uint32_t index) const {
    return {index / params_.channels, static_cast<std::uint8_t>(index % params_.channels)};
}

void EthernetFabric::run(Kind kind, const Event& event) {
    switch (kind) {
        case Kind::leaving:
            return leave(event.a, Bytes{event.b});
        case Kind::landing:
            return come_down(event.a);
        case Kind::pausing:
            return obey(event.a, event.b != 0);
        default:
            return PacketFabric::run(kind, event);
    }
}

Time EthernetFabric::room_at(const Hop& hop, Bytes wire) const {
    if (buffers_[index_of(hop)].stopped) return never;
    const Time room = PacketFabric::room_at(hop, wire);
    return retries_ ? std::max(room, replay_[hop.edge].when(wire)) : room;
}

bool EthernetFabric::damages(const Waiting& packet, std::uint32_t edge) {
    const bool damaged = is_damaged({network_.loss.rate, network_.loss.bit_error_rate, draws_}, edge,
                                    transmissions_[edge]++, wire_of(packet));
    transport_of(flow_of(packet.transfer)).damaged += damaged;
    return damaged;
}

/// At the end of its path.
bool EthernetFabric::fails(const Waiting& packet) {
    const Flow& flow = flow_of(packet.transfer);
    if (packet.hop < flow.path.size() || passes(transfers_[packet.transfer].message.tag)) return false;
    ++transport_of(flow).damaged;
    return true;
}

Crossing EthernetFabric::transmit(const Waiting& packet, const Hop& hop, Bytes wire) {
    if (packet.hop > 0 && lands_) queued_[hop.edge] -= wire;
    ++transport_of(flow_of(packet.transfer)).sent;
    const Crossing crossing = PacketFabric::transmit(packet, hop, wire);
    return retries_ ? replay(packet, hop, wire, crossing) : crossing;
}

/// Sends until it comes whole; then the sender keeps it until it is acknowledged.
Crossing EthernetFabric::replay(const Waiting& packet, const Hop& hop, Bytes wire, Crossing crossing) {
    const Time round_trip =
        2 * link(hop.edge).link.propagation + std::get<LinkRetryParams>(network_.reliability.params).latency;
    const Flow& flow = flow_of(packet.transfer);
    Carried& carried = carried_on(hop.edge, flow.background);
    while (damages(packet, hop.edge)) {
        ++transport_of(flow).replayed;
        ++transport_of(flow).sent;
        ++carried.packets;
        carried.wire_bytes += wire.count;
        carried.flits += flits_of(wire, params_.flit);
        const Time again = crossing.end + round_trip;
        crossing = cross(link(hop.edge).link.propagation + link(hop.edge).egress_latency, byte_of(hop.edge),
                         params_.flit, wire, again, {again, {}, {}});
    }
    replay_[hop.edge].take(wire, now());
    replay_[hop.edge].give_back(wire, crossing.end + round_trip);
    return crossing;
}

void EthernetFabric::land(const Waiting& next, const Hop& hop, Time taken) {
    if (!lands_) return take_whole(next, hop, taken);
    flights_[hop.edge].push_back({next, hop, taken, (!retries_ && damages(next, hop.edge)) || fails(next)});
    post(Kind::landing, next.ready.first - link(hop.edge).egress_latency, hop.edge, hop.edge);
}

/// The first flit of what flies first has come to the end of its link.
void EthernetFabric::come_down(std::uint32_t edge) {
    const Flight flight = flights_[edge].front();
    flights_[edge].pop_front();
    if (flight.damaged) {
        if (by_credit_) release(flight.hop, wire_of(flight.next), flight.taken - link(edge).egress_latency);
        return lose(flight);
    }
    if (!by_credit_ && !take_room(flight)) {
        ++transport_of(flow_of(flight.next.transfer)).dropped;
        return lose(flight);
    }
    mark(flight);
    take_whole(flight.next, flight.hop, flight.taken);
}

void EthernetFabric::take_whole(const Waiting& next, const Hop& hop, Time taken) {
    ++transport_of(flow_of(next.transfer)).delivered;
    PacketFabric::land(next, hop, taken);
}

bool EthernetFabric::take_room(const Flight& flight) {
    const std::uint32_t index = index_of(flight.hop);
    PauseGate& gate = buffers_[index].gate;
    const Bytes wire = wire_of(flight.next);
    if (gate.filled() + wire > link(flight.hop.edge).link.buffer) return false;
    if (gate.arrived(wire) == PauseChange::pause) {
        ++transport_of(flow_of(flight.next.transfer)).paused;
        tell(index, true);
    }
    return true;
}

void EthernetFabric::lose(const Flight& flight) {
    const std::uint64_t tag = transfers_[flight.next.transfer].message.tag;
    close(flight.next.transfer);
    on_loss(tag, flight.hop);
}

/// By what waits for the link that it takes next.
void EthernetFabric::mark(const Flight& flight) {
    const std::vector<Hop>& path = flow_of(flight.next.transfer).path;
    if (flight.next.hop == path.size()) return;
    const std::uint32_t edge = path[flight.next.hop].edge;
    if (const auto* dcqcn = std::get_if<DcqcnParams>(&network_.congestion.params)) {
        const double draw = uniform_at(random_at(~draws_, edge), landings_[edge]++);
        if (is_marked(*dcqcn, queued_[edge], draw)) {
            ++transport_of(flow_of(flight.next.transfer)).marked;
            on_mark(transfers_[flight.next.transfer].message.tag);
        }
    }
    queued_[edge] += wire_of(flight.next);
}

void EthernetFabric::release(const Hop& hop, Bytes size, Time at) {
    if (by_credit_) return PacketFabric::release(hop, size, at);
    settle(at + link(hop.edge).link.propagation);
    post(Kind::leaving, at, index_of(hop), index_of(hop), static_cast<std::uint32_t>(size.count));
}

void EthernetFabric::leave(std::uint32_t index, Bytes size) {
    if (buffers_[index].gate.left(size) == PauseChange::resume) tell(index, false);
}

/// Sends the sender of a link a pause frame, or one that lets it go on.
void EthernetFabric::tell(std::uint32_t index, bool stop) {
    const Time response = std::get<PfcParams>(network_.flow_control.params).response;
    const Time at = now() + link(hop_at(index).edge).link.propagation + response;
    settle(at);
    post(Kind::pausing, at, std::uint64_t{index} * 2 + stop, index, stop);
}

void EthernetFabric::obey(std::uint32_t index, bool stop) {
    buffers_[index].stopped = stop;
    const std::uint32_t edge = hop_at(index).edge;
    if (!stop) wake(edge, std::max(now(), free_at(edge)));
}

std::optional<CreditWait> EthernetFabric::blocked_on(const Hop& hop) const {
    auto wait = PacketFabric::blocked_on(hop);
    if (!wait || by_credit_) return wait;
    wait->free = link(hop.edge).link.buffer - buffers_[index_of(hop)].gate.filled();
    wait->paused = buffers_[index_of(hop)].stopped;
    return wait;
}

}   // namespace oscar
