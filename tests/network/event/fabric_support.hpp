// Networks for tests of the timing core, and a client that notes what it sees.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <tuple>

#include "models/network/event/message_fabric.hpp"
#include "models/network/event/packet_fabric.hpp"
#include "tests/core/time_runs.hpp"

namespace oscar::test {

/// A message that is sent at a time, or when another one has arrived.
struct Sending {
    std::uint32_t flow = 0;
    FabricMessage message;   ///< its tag is its index in the script
    Time at;                 ///< if it follows none
    std::optional<std::size_t> after;
    std::vector<Time> eligible;   ///< per packet, from its sending on
    std::vector<std::uint32_t> reported;
};

/// Where and when a packet was: (message, packet, hop) -> (begin, end).
using Crossings =
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::size_t>, std::pair<std::int64_t, std::int64_t>>;

/// A network of a kind, and how it runs.
template <class Network>
class Stand {
public:
    /// `more`: what the network is made of beside its links.
    template <class... More>
    Stand(const FabricParams& params, const std::vector<std::vector<Hop>>&, FabricClient& client, const More&... more)
        : network_(params, more..., client) {}
    Fabric& fabric() { return network_; }
    template <class Action>
    void within(Action action) {
        action();
    }
    void run() {
        while (network_.next_time() != Fabric::never) network_.step();
    }

private:
    Network network_;
};

/// Runs a script on a network of the given kind and notes what happens. Every second flow is counted separately.
template <class Network>
class Traffic : public FabricClient, public FabricObserver {
    Stand<Network> stand_;

public:
    /// `more`: what the network is made of beside its links.
    template <class... More>
    Traffic(const FabricParams& params, const std::vector<std::vector<Hop>>& paths, const std::vector<Sending>& script,
            const More&... more)
        : stand_(params, paths, *this, more...), fabric(stand_.fabric()), script_(script) {
        fabric.observe(this);
        std::vector<FlowId> flows;
        Bytes largest;
        for (std::uint32_t f = 0; f < paths.size(); ++f) {
            flows.push_back(fabric.add_flow(paths[f], f));
            if (f % 2 == 1) fabric.count_separately(flows.back());
        }
        for (const Sending& sending : script)
            largest = std::max({largest, sending.message.wire, sending.message.last_wire});
        fabric.declare(flows, largest);
        for (std::size_t i = 0; i < script.size(); ++i)
            if (!script[i].after) fabric.call_at(script[i].at, 1, i, static_cast<std::uint32_t>(i), 0);
    }
    void run() { stand_.run(); }

    void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) override {
        departures[{tag, sequence, 0}] = {begin.ps, end.ps};
    }
    void arrived(std::uint64_t tag, std::uint32_t sequence) override {
        const Sending& sending = script_[tag];
        if (std::ranges::binary_search(sending.reported, sequence)) arrivals[{tag, sequence}] = fabric.now().ps;
        if (sequence + 1 != sending.message.packets) return;
        for (std::size_t i = 0; i < script_.size(); ++i)
            if (script_[i].after == tag) send(i);
    }
    void called(std::uint32_t a, std::uint32_t) override { send(a); }
    void crossed(std::uint64_t tag, std::uint32_t sequence, std::size_t hop, Time begin, Time end) override {
        EXPECT_TRUE(crossings.insert({{tag, sequence, hop}, {begin.ps, end.ps}}).second);
    }

    Crossings crossings, departures;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::int64_t> arrivals;
    Fabric& fabric;

private:
    void send(std::size_t i) {
        std::vector<Time> eligible = script_[i].eligible;
        for (Time& time : eligible) time += fabric.now();
        fabric.send(FlowId{script_[i].flow}, script_[i].message, time_runs(eligible), script_[i].reported);
    }
    std::vector<Sending> script_;
};

}   // namespace oscar::test
