// A network in which a flit and a link are one event: the oracle of the coarser ones, with which it shares no
// arithmetic.
#pragma once

#include <deque>
#include <map>

#include "models/network/core/fabric.hpp"
#include "models/network/core/fifo.hpp"
#include "models/network/core/turn.hpp"
#include "models/network/link/exact_time.hpp"

namespace oscar {

/// A flit leaves when the flit before it has left, and once it has come; a flit of a packet takes what all up to it
/// take less what all before it take. A link knows the state of its own buffer by events alone.
class FlitFabric : public Fabric {
public:
    FlitFabric(const FabricParams& params, FabricClient& client);

    /// Turns begin anew.
    void restart(std::uint64_t draw) override;
    void declare(std::span<const FlowId>, Bytes) override {}
    void send(FlowId flow, const FabricMessage& message, std::span<const Time> eligible,
              std::span<const std::uint32_t> wanted) override;

private:
    using Key = std::pair<bool, std::uint64_t>;   ///< of a queue: not of senders; who sends, or what link it came by

    /// A packet at a link: it waits for it, or crosses it.
    struct Visit {
        std::uint32_t transfer = 0, sequence = 0, hop = 0;
        std::uint64_t flits = 0, left = 0;   ///< in all; that have left by this link
        Time eligible;
        Fifo<ExactTime> ready;   ///< of the flits that are to leave next; of a sender's, none need be waited for
        std::optional<std::uint32_t> onward;   ///< its visit to the next link
        bool in_flight = false;                ///< its next flit is leaving
    };
    struct Queue {
        std::deque<std::uint32_t> visits;
        Time left = Turn::never_left;   ///< its last packet, the link
    };
    struct Channel {
        Bytes credits;
        std::map<Key, Queue> queues;
        std::optional<Key> elected;
    };
    struct Port {
        ExactTime byte, last_left;
        std::vector<Channel> channels;
        std::uint32_t last_channel = 0;
        std::optional<std::uint32_t> crossing;   ///< a visit
        Time begin;                              ///< of that
    };

    void run(Kind kind, const Event& event) override;
    std::optional<CreditWait> blocked_on(const Hop& hop) const override;
    std::optional<Hop> waits_for(const Hop& hop) const override;

    std::uint32_t come(std::uint32_t transfer, std::uint32_t sequence, std::uint32_t hop, Time eligible);
    void decide(std::uint32_t edge);
    void arbitrate(Channel& channel);
    void start(std::uint32_t edge, std::uint32_t channel);
    void next_flit(std::uint32_t visit);
    void flit_left(std::uint32_t visit);
    void hand_on(std::uint32_t visit);
    void finish(std::uint32_t visit);
    void credit_back(const Hop& hop, Bytes size, Time released);

    Hop hop_of(const Visit& visit) const { return flow_of(visit.transfer).path[visit.hop]; }
    Bytes wire_of(const Visit& visit) const { return transfers_[visit.transfer].message.wire_of(visit.sequence); }
    Bytes flit_size(const Visit& visit) const;
    Key key_of(const Visit& visit) const;
    Channel& channel_of(const Hop& hop) { return ports_[hop.edge].channels[hop.channel]; }

    std::vector<Port> ports_;   ///< per link
    std::vector<Visit> visits_;
    std::vector<std::uint32_t> free_visits_;
};

}   // namespace oscar
