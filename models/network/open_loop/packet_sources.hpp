// Bernoulli packet sources, by position in a stream of random numbers.
#pragma once

#include <cstdint>

#include "models/core/random.hpp"
#include "models/network/grid/router_network.hpp"
#include "models/network/open_loop/destinations.hpp"

namespace oscar {

/// A Bernoulli trial each cycle and node. A node looks at its next trials only when its router has taken the packet
/// before: that is an endless queue which needs no memory, for trials are numbered by their cycles.
class PacketSources {
public:
    /// `probability` of a packet in a cycle, 0..1.
    PacketSources(const Destinations& destinations, std::uint32_t nodes, double probability, std::uint64_t seed)
        : destinations_(destinations),
          threshold_(static_cast<std::uint64_t>(probability * 0x1p63)),
          next_trial_(nodes) {
        for (const NodeId node : IndexRange<NodeId>(nodes)) keys_.push_back(random_at(seed, node.value));
    }

    /// Gives each idle node of the network its next packet if that has been created by now.
    void offer(RouterNetwork& network) {
        for (const NodeId node : keys_.indices()) {
            Cycles& trial = next_trial_[node];
            if (!network.idle(node)) continue;
            while (trial <= network.now() && !creates(node, trial)) ++trial;
            if (trial > network.now()) continue;
            const std::uint64_t random = random_at(keys_[node] + 1, trial);
            network.begin(node, destinations_.of(node, random), trial, coins(random));
            ++begun_;
            ++trial;
        }
    }

    /// Packets created before cycle `now`, whether the network has taken them or not. Precondition: offer has not been
    /// called for later cycles.
    std::uint64_t created(Cycles now) const {
        std::uint64_t packets = begun_;
        for (const NodeId node : keys_.indices())
            for (Cycles trial = next_trial_[node]; trial < now; ++trial) packets += creates(node, trial);
        return packets;
    }

private:
    bool creates(NodeId node, Cycles trial) const { return random_at(keys_[node], trial) >> 1 < threshold_; }
    /// Bits that do not decide the destination: they come from another number, drawn with `random` as its key.
    static std::uint8_t coins(std::uint64_t random) { return static_cast<std::uint8_t>(random_at(random, 0) & 15); }

    const Destinations& destinations_;
    std::uint64_t threshold_, begun_ = 0;
    IndexedVector<NodeId, std::uint64_t> keys_;
    IndexedVector<NodeId, Cycles> next_trial_;
};

}   // namespace oscar
