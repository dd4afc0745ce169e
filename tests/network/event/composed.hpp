// A client, a policy and a transport that note what a PacketFabric asks of them.
#pragma once

#include <gmock/gmock.h>
#include <array>

#include <map>
#include <utility>
#include <vector>

#include "models/network/event/packet_fabric.hpp"

namespace oscar::test {

/// Notes departures and arrivals by (message, packet).
struct NotingClient : FabricClient {
    using Key = std::pair<std::uint64_t, std::uint32_t>;
    std::map<Key, Span> departures;
    std::map<Key, Time> arrivals;
    Fabric* fabric = nullptr;

    void departed(std::uint64_t tag, std::uint32_t sequence, Time begin, Time end) override {
        departures[{tag, sequence}] = {begin, end};
    }
    void arrived(std::uint64_t tag, std::uint32_t sequence) override { arrivals[{tag, sequence}] = fabric->now(); }
    void called(std::uint32_t, std::uint32_t) override {}
};

/// Sends each packet as a message of its own, whose tag is its number over all flows, and tells the client nothing.
struct NotingTransport : PacketTransport {
    explicit NotingTransport(PacketFabric& of) : fabric(of) {}

    FlowId add_flow(std::span<const Hop> path, std::uint32_t queue) override {
        return fabric.add_link_flow(path, queue);
    }
    void count_separately(FlowId flow) override {
        fabric.count_link_flow_separately(flow);
        separate.push_back(flow);
    }
    void send(FlowId flow, const FabricMessage& message, std::span<const TimeRun> eligible) override {
        TimeRunReader leaving(eligible);
        for (std::uint32_t i = 0; i < message.packets; ++i, leaving.skip(1)) {
            const Bytes wire = message.wire_of(i);
            fabric.send_over_links(flow, {sent++, 1, wire, wire}, std::array{TimeRun{leaving.front()}});
        }
    }
    void restart() override { ++restarts; }
    std::string losses() const override { return "losses"; }
    void departed(std::uint64_t tag, Time begin, Time end) override { departures[tag] = {begin, end}; }
    void arrived(std::uint64_t tag) override { arrivals[tag] = fabric.now(); }
    void marked(std::uint64_t tag) override { marks.push_back(tag); }
    void lost(std::uint64_t tag) override { lost_at[tag] = fabric.now(); }
    bool passes(std::uint64_t tag) override { return tag != fails; }
    std::uint64_t order_of(std::uint64_t tag) const override { return last_first ? 1000 - tag : tag; }
    void ring(const Event& event) override { rings.emplace_back(fabric.now(), event.a); }
    void describe(CreditWait& wait) const override { wait.answer = true; }

    PacketFabric& fabric;
    std::uint64_t sent = 0, fails = ~std::uint64_t{0};
    bool last_first = false;
    int restarts = 0;
    std::map<std::uint64_t, Span> departures;
    std::map<std::uint64_t, Time> arrivals, lost_at;
    std::vector<std::uint64_t> marks;
    std::vector<FlowId> separate;
    std::vector<std::pair<Time, std::uint32_t>> rings;
};

/// Links that open at a time, and on which each packet takes longer by `extra`.
struct NotingPolicy : LinkPolicy {
    explicit NotingPolicy(PacketFabric& of) : fabric(of) {}

    void restart(std::uint64_t draw) override { draws.push_back(draw); }
    Time room_at(const Hop&, Bytes, Time credited) const override { return std::max(credited, opens); }
    Crossing transmit(const WaitingPacket&, const Hop&, const Crossing& undisturbed) override {
        ++counted.sent;
        Crossing crossing = undisturbed;
        crossing.end += extra;
        return crossing;
    }
    void land(const WaitingPacket& next, const Hop& hop, Time taken) override {
        landed.push_back(fabric.facts_of(next).tag);
        fabric.forward(next, hop, taken);
    }
    void release(const Hop& hop, Bytes size, Time at) override {
        released.emplace_back(hop.edge, at);
        fabric.return_credit(hop, size, at);
    }
    void run(Fabric::Kind kind, const Event& event) override { events.emplace_back(kind, event.a); }
    void describe(CreditWait& wait) const override { wait.paused = true; }
    const TransportUse& use() const override { return counted; }

    PacketFabric& fabric;
    Time opens, extra;
    TransportUse counted;
    std::vector<std::uint64_t> draws, landed;
    std::vector<std::pair<EdgeId, Time>> released;
    std::vector<std::pair<Fabric::Kind, std::uint32_t>> events;
};

inline void run_all(Fabric& fabric) {
    while (fabric.next_time() != Fabric::never) fabric.step();
}

/// Sends `packets` packets of `wire` bytes, all eligible now.
inline void send(Fabric& fabric, FlowId flow, std::uint32_t packets, Bytes wire, std::uint64_t tag = 0) {
    fabric.send(flow, {tag, packets, wire, wire}, std::array{TimeRun{fabric.now(), packets}}, {});
}

}   // namespace oscar::test
