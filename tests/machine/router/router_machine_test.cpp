// A network of router modules: hierarchy, waveforms, deadlocks, and what happens within one instant.
#include "models/machine/router/router_machine.hpp"

#include <gmock/gmock.h>

#include <set>

#include "models/network/grid/router_fabric.hpp"
#include "tests/machine/router/router_support.hpp"
#include "tests/network/grid/router_support.hpp"

namespace oscar::router_machine_test {
namespace {

using test::cycle;
using test::nic_latency;
using test::packets;
using test::RoutersOf;
using test::Sending;
using test::Stand;
using test::Traffic;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

using ModuleTraffic = Traffic<RouterMachine>;

TEST(ARouterMachine, IsAHierarchyOfModulesWithTheNamesOfTheBlockDiagram) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    struct : FabricClient {
        void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
        void arrived(std::uint64_t, std::uint32_t) override {}
        void called(std::uint32_t, std::uint32_t) override {}
    } client;
    const RouterMachine network(of.params, of.grid(), of.router, {}, client);
    std::vector<std::string> modules;
    const auto collect = [&](const auto& self, const std::vector<sc_core::sc_object*>& objects) -> void {
        for (const sc_core::sc_object* object : objects) {
            if (dynamic_cast<const sc_core::sc_module*>(object)) modules.push_back(object->name());
            self(self, object->get_child_objects());
        }
    };
    collect(collect, sc_core::sc_get_top_level_objects());
    EXPECT_THAT(modules,
                ::testing::UnorderedElementsAre("rank0", "rank0.nic", "switch0", "rank1", "rank1.nic", "switch1",
                                                "link_rank0-switch0", "link_switch0-rank0", "link_switch0-switch1",
                                                "link_rank1-switch1", "link_switch1-rank1", "link_switch1-switch0"));
}

// Routers of 2 cycles of switch and 1 + 2 on links: 1 + 1 + 2 + 3 each, and 1 + 3 from the node.
TEST(ARouterMachine, HasTheDelaysOfItsTimesInCycles) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    ModuleTraffic traffic(of.params, {of.path(0, 1)}, {packets(0, 1, 64_B, 64_B, {}, 0)}, of.grid(), of.router);
    traffic.run();
    EXPECT_EQ((traffic.arrivals.at({0, 0})), ((2 * 7 + 4) * cycle + nic_latency).ps);
}

/// A client of either form that sends packets when it is called, and whenever it is told of one, while any are left.
class Chain : public FabricClient {
public:
    void departed(std::uint64_t tag, std::uint32_t, Time begin, Time) override {
        told.push_back({0, tag, begin.ps});
        send();
    }
    void arrived(std::uint64_t tag, std::uint32_t) override {
        told.push_back({1, tag, fabric->now().ps});
        send();
    }
    void called(std::uint32_t, std::uint32_t) override {
        for (std::uint32_t i = 0; i < flows; ++i) send();
    }
    std::vector<std::tuple<int, std::uint64_t, std::int64_t>> told;
    Fabric* fabric = nullptr;
    std::uint32_t flows = 0;

private:
    void send() {
        if (sent_ == 60) return;
        const auto flow = static_cast<std::uint32_t>(sent_ % flows);
        fabric->send(FlowId{flow}, {sent_++, 1, 64_B, 64_B}, std::array{TimeRun{fabric->now()}}, std::vector{0u});
    }
    std::uint64_t sent_ = 0;
};

template <class Network>
auto chain_on(const RoutersOf& of) {
    std::vector<std::vector<Hop>> paths;
    for (std::uint32_t from = 0; from < 4; ++from)
        for (std::uint32_t to = 0; to < 4; ++to)
            if (from != to) paths.push_back(of.path(from, to));
    Chain chain;
    Stand<Network> stand(of.params, paths, chain, of.grid(), of.router);
    chain.fabric = &stand.fabric();
    for (const auto& path : paths) chain.fabric->add_flow(path, chain.flows++ % 2);
    chain.fabric->call_at(10_ns, 0, 0, 0, 0);
    chain.fabric->call_at(3 * cycle, 0, 0, 0, 0);
    stand.run();
    return chain.told;
}

TEST(ARouterMachine, SendsInTheNextCycleWhatIsSentBecauseOfAPacketOfThisOne) {
    for (const Time latency : {0_ns, 50_ns, 128_ns}) {
        RoutersOf of(MeshParams{2, 2}, 4);
        for (FabricLink& link : of.params.links) link.egress_latency = latency;
        const auto told = chain_on<RouterMachine>(of);
        EXPECT_EQ(told, chain_on<RouterFabric>(of)) << latency.ps;
        EXPECT_EQ(told.size(), 120u);
    }
}

/// Sends a script in each of two jobs, at any two times, and notes when packets arrive from their begins on.
class Twice : public FabricClient {
public:
    Twice(const RoutersOf& of, const test::Scripted& script, Time second)
        : stand_(of.params, script.paths, *this, of.grid(), of.router), script_(script) {
        for (const auto& path : script.paths) stand_.fabric().add_flow(path, 0);
        for (const Time at : {Time{}, second})
            stand_.within([&] {
                stand_.fabric().restart(7);
                stand_.fabric().call_at(at, 0, 0, 0, 0);
                stand_.run();
            });
    }
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {
        arrivals.back().push_back((stand_.fabric().now() - begin_).ps);
    }
    void called(std::uint32_t, std::uint32_t) override {
        begin_ = stand_.fabric().now();
        arrivals.emplace_back();
        for (const Sending& sending : script_.script) {
            std::vector<Time> eligible = sending.eligible;
            for (Time& at : eligible) at += begin_;
            stand_.fabric().send(FlowId{sending.flow}, sending.message, test::time_runs(eligible), sending.reported);
        }
    }
    std::vector<std::vector<std::int64_t>> arrivals;

private:
    Stand<RouterMachine> stand_;
    const test::Scripted& script_;
    Time begin_;
};

TEST(ARouterMachine, RepeatsAJobToThePicosecondWheneverItBegins) {
    for (const RoutersOf& of : test::random_routers(3)) {
        const test::Scripted script(of, 3);
        const Twice twice(of, script, 1'000_ms + 12'345_ps);
        ASSERT_EQ(twice.arrivals.size(), 2u);
        EXPECT_EQ(twice.arrivals[0], twice.arrivals[1]);
        EXPECT_FALSE(twice.arrivals[0].empty());
    }
}

TEST(ARouterMachine, NamesTheCycleOfWaitsOfADeadlockAsTheEventCoreDoes) {
    const test::StuckRing ring;
    const std::string text = ring.deadlock_text<RouterMachine>();
    EXPECT_THAT(text, HasSubstr("router (0, 0) port west VC 0 waits for"));
    EXPECT_EQ(text, ring.deadlock_text<RouterFabric>());
}

TEST(ARouterMachine, HasNoActivationInCyclesInWhichNothingIsOnItsWay) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    const auto events = [&](Time pause) {
        Sending two = packets(0, 2, 64_B, 64_B, {}, 0);
        two.eligible = {Time{}, pause};
        struct : FabricClient {
            void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
            void arrived(std::uint64_t, std::uint32_t) override {}
            void called(std::uint32_t, std::uint32_t) override {
                fabric->send(FlowId{0}, two.message, test::time_runs(two.eligible), two.reported);
            }
            Fabric* fabric = nullptr;
            Sending two;
        } client;
        Stand<RouterMachine> stand(of.params, {}, client, of.grid(), of.router);
        client.fabric = &stand.fabric();
        client.two = two;
        stand.fabric().add_flow(of.path(0, 1), 0);
        stand.fabric().call_at({}, 0, 0, 0, 0);
        stand.run();
        return stand.simulated_events();
    };
    EXPECT_EQ(events(1_ms), events(1000_ms));
    EXPECT_LT(events(1_ms), 60u);
}

TEST(ARouterMachine, ShowsTheDepthOfItsBuffersAndWhenItsLinksAreBusy) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    Waveform waveform{{}};
    Traffic<RouterMachine> traffic(of.params, {of.path(0, 1)}, {packets(0, 2, 192_B, 192_B, {}, 0)}, of.grid(),
                                   of.router, RouterMachineParams{.waveform = &waveform});
    traffic.run();
    std::map<std::string, std::vector<SignalChange>> signals;
    std::set<std::string> names;
    for (const Signal& signal : waveform.signals({})) signals[signal.name] = signal.changes, names.insert(signal.name);
    // Without a machine around the network, names begin behind the node or switch; links are modules at the top.
    EXPECT_THAT(names,
                IsSupersetOf({"nic.queue", "node.buffer", "east.buffer", "west.buffer", "link_rank0-switch0.busy",
                              "link_switch0-switch1.busy", "link_switch1-rank1.busy"}));
    EXPECT_THAT(signals.at("link_rank0-switch0.busy"), ElementsAre(SignalChange{{}, 1}, SignalChange{6 * cycle, 0}));
    EXPECT_THAT(signals.at("link_switch1-switch0.busy"), ElementsAre(SignalChange{{}, 0}));
    for (const auto& [name, changes] : signals) EXPECT_EQ(changes.back().value, 0u) << name;
}

}   // namespace
}   // namespace oscar::router_machine_test
