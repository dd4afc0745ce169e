// What tests of transport send over small networks, and what they see.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "models/network/transport/ethernet_links.hpp"
#include "models/network/transport/make_network.hpp"
#include "tests/core/time_runs.hpp"

namespace oscar::test {

/// Both directions of cables: link 2i from the first node to the second, 2i+1 back.
inline FabricParams cables(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ends, const LinkParams& link,
                           Time egress_latency = {}) {
    FabricParams params;
    params.flit = 64_B;
    for (const auto& [a, b] : ends) {
        params.links.push_back({a, b, link, egress_latency});
        params.links.push_back({b, a, link, egress_latency});
    }
    return params;
}

inline std::vector<Hop> over(std::initializer_list<std::uint32_t> edges) {
    std::vector<Hop> path;
    for (const std::uint32_t edge : edges) path.push_back({EdgeId{edge}, 0});
    return path;
}

/// Sends messages at given times; notes departures and arrivals of packets, by (message, packet).
class TransportTraffic : public FabricClient, public FabricObserver {
    std::unique_ptr<PacketFabric> owned_;

public:
    using Key = std::pair<std::uint64_t, std::uint32_t>;

    TransportTraffic(const FabricParams& params, const NetworkParams& network)
        : owned_(make_ethernet(params, network, *this,
                               [links = params.links](std::span<const Hop> path) { return reversed(links, path); })),
          fabric(*owned_) {
        fabric.observe(this);
    }

    /// Its tag is the number of the message in order of planning.
    void plan(FlowId flow, FabricMessage message, Time at, std::vector<Time> eligible = {}) {
        message.tag = plans_.size();
        eligible.resize(message.packets, at);
        plans_.push_back({flow, message, eligible});
        fabric.call_at(at, 1, message.tag, static_cast<std::uint32_t>(message.tag), 0);
    }
    FlowId flow(std::initializer_list<std::uint32_t> edges) { return fabric.add_flow(over(edges), queues_++); }
    /// What waits in a switch for a link.
    Bytes queued(EdgeId edge) const { return dynamic_cast<const EthernetLinks&>(*owned_->policy()).queued(edge); }
    void run(Time until = Fabric::never) {
        while (fabric.next_time() != Fabric::never && fabric.next_time() <= until) fabric.step();
    }
    bool all_arrived() const {
        return std::ranges::all_of(plans_, [&](const Plan& plan) {
            return arrivals.contains({plan.message.tag, plan.message.packets - 1});
        });
    }

    void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time) override {
        EXPECT_TRUE(departures.insert({{tag, sequence}, begin}).second) << "departed twice";
    }
    void arrived(std::uint64_t tag, std::uint32_t sequence) override {
        EXPECT_TRUE(arrivals.insert({{tag, sequence}, fabric.now()}).second) << "arrived twice";
        EXPECT_TRUE(sequence == 0 || arrivals.contains({tag, sequence - 1})) << "arrived out of order";
        last_arrival = fabric.now();
    }
    void called(std::uint32_t tag, std::uint32_t) override {
        const Plan& plan = plans_[tag];
        fabric.send(plan.flow, plan.message, time_runs(plan.eligible), {});
    }
    void crossed(std::uint64_t, std::uint32_t, std::size_t hop, Time begin, Time end) override {
        crossings.push_back({hop, begin, end});
    }

    struct Crossed {
        std::size_t hop;
        Time begin, end;
    };
    Fabric& fabric;
    std::map<Key, Time> departures, arrivals;
    std::vector<Crossed> crossings;
    Time last_arrival;

private:
    struct Plan {
        FlowId flow;
        FabricMessage message;
        std::vector<Time> eligible;
    };
    std::vector<Plan> plans_;
    std::uint32_t queues_ = 0;
};

}   // namespace oscar::test
