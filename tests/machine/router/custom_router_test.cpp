// Routers of a user's own in a network of router modules.
#include <gmock/gmock.h>

#include "models/machine/router/router_module.hpp"
#include "models/network/grid/router_fabric.hpp"
#include "models/network/grid/waits.hpp"
#include "tests/machine/router/counted_router.hpp"
#include "tests/machine/router/router_support.hpp"
#include "tests/network/grid/router_support.hpp"

namespace oscar::custom_router_test {
namespace {

using test::cycle;
using test::nic_latency;
using test::packets;
using test::RoutersOf;
using test::Traffic;
using ::testing::HasSubstr;

/// Of a line of two: forwards each flit `delay` cycles behind its arrival. It knows no stages, and nothing waits in it.
struct Repeater : LinkedRouter {
    using LinkedRouter::LinkedRouter;
    static constexpr Cycles delay = 5;
    std::uint32_t forwarded = 0;

    Cycles act(Cycles now) override {
        for (std::uint32_t port = 0; port < router_ports; ++port)
            flits(port).receive(now,
                                [&](std::uint8_t vc, const RouterFlit& flit) { forward(port, vc, flit, now + delay); });
        return next_to_come();
    }
    bool waits_for_credit() const override { return false; }

private:
    void forward(std::uint32_t from, std::uint8_t vc, const RouterFlit& flit, Cycles at) {
        const RouterId last = router_at(NodeId{flit.to});
        const Port to = last == router() ? Port::node : last > router() ? Port::east : Port::west;
        out[index_of(to)]->put(vc, flit, clock().begin_of(at), clock().begin_of(at + 1));
        credit_out[from]->give_back(vc, params().flit, clock().begin_of(at));
        ++forwarded;
    }
};

/// Takes flits and keeps them.
struct Sink : LinkedRouter {
    using LinkedRouter::LinkedRouter;
    Cycles act(Cycles now) override {
        for (std::uint32_t port = 0; port < router_ports; ++port)
            flits(port).receive(now, [](std::uint8_t, const RouterFlit&) {});
        return next_to_come();
    }
    bool waits_for_credit() const override { return false; }
};

template <class Router>
RouterMachineParams of_routers(std::vector<const Router*>* made = nullptr) {
    RouterMachineParams machine;
    machine.make_router = [made](const std::string& name, const RouterGridParams& params, RouterId router) {
        auto module = std::make_unique<Router>(name.c_str(), params, router);
        if (made != nullptr) made->push_back(module.get());
        return module;
    };
    return machine;
}

TEST(ARouterOfAUsersOwn, TakesTheTimesThatItChooses) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    std::vector<const Repeater*> repeaters;
    Traffic<RouterMachine> traffic(of.params, {of.path(0, 1)}, {packets(0, 1, 192_B, 192_B, {}, 0)}, of.grid(),
                                   of.router, of_routers<Repeater>(&repeaters));
    traffic.run();
    // Three flits; each link takes a cycle and two of propagation, and an interface register stands behind the node.
    const Cycles taken = 2 * (Repeater::delay + 3) + 4 + 2;
    EXPECT_EQ((traffic.arrivals.at({0, 0})), (taken * cycle + nic_latency).ps);
    ASSERT_EQ(repeaters.size(), 2u);
    for (const Repeater* repeater : repeaters) EXPECT_EQ(repeater->forwarded, 3u);
}

TEST(ARouterOfAUsersOwn, ThatKeepsItsFlitsIsReportedAsADeadlockOfWhichNothingElseIsKnown) {
    const RoutersOf of(MeshParams{1, 2}, 2);
    Traffic<RouterMachine> traffic(of.params, {of.path(0, 1)}, {packets(0, 1, 64_B, 64_B, {}, 0)}, of.grid(), of.router,
                                   of_routers<Sink>());
    try {
        traffic.run();
        FAIL() << "no deadlock";
    } catch (const RouterDeadlock& deadlock) {
        EXPECT_THAT(deadlock.what(), HasSubstr("1 flits in flight"));
        EXPECT_THAT(deadlock.what(), HasSubstr("nothing that is known"));
    }
}

TEST(ARouterOfAUsersOwn, ThatDerivesFromTheSuppliedOneGivesItsTimes) {
    for (const RoutersOf& of : test::random_routers(5)) {
        const test::Scripted script(of, 5);
        std::uint64_t acts = 0;
        RouterMachineParams machine;
        machine.make_router = test::make_counted_router(acts);
        Traffic<RouterMachine> own(of.params, script.paths, script.script, of.grid(), of.router, machine);
        Traffic<RouterFabric> core(of.params, script.paths, script.script, of.grid(), of.router);
        own.run();
        core.run();
        EXPECT_EQ(own.arrivals, core.arrivals);
        EXPECT_GT(acts, 0u);
    }
}

}   // namespace
}   // namespace oscar::custom_router_test
