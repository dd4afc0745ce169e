#include "models/network/params/input_queued_params.hpp"

#include <gtest/gtest.h>

#include "models/network/event/idle.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar::input_queued_params_test {
namespace {

/// 64 B at 8 Gbit/s: a cycle is 64 ns.
NetworkParams network_of(Time propagation, Time latency) {
    NetworkParams network;
    network.link = {8_Gbps, propagation, 64_KiB};
    network.switches.latency = latency;
    network.switches.architecture = InputQueuedParams{};
    return network;
}

TEST(InputQueued, IsANetworkThatSaysSo) {
    EXPECT_EQ(input_queued(NetworkParams{}), nullptr);
    NetworkParams network = network_of({}, {});
    ASSERT_NE(input_queued(network), nullptr);
    EXPECT_EQ(input_queued(network)->vcs, InputQueuedParams{}.vcs);
}

TEST(RouterCycles, AreAsLongAsAFlitAndRoundTimesUp) {
    const NetworkParams network = network_of({}, {});
    EXPECT_EQ(router_cycle(network), 64_ns);
    EXPECT_EQ(router_cycles(network, 0_ps), 0u);
    EXPECT_EQ(router_cycles(network, 1_ps), 1u);
    EXPECT_EQ(router_cycles(network, 128_ns), 2u);
    EXPECT_EQ(router_cycles(network, 128'001_ps), 3u);
}

TEST(RouterCycles, AreWholePicosecondsOfSomeRatesOnly) {
    NetworkParams network;   // flits of 64 B
    for (const auto& [rate, whole] : {std::pair{400_Gbps, true}, {100_Gbps, true}, {30_Gbps, false}, {7_Mbps, false}}) {
        network.link.bandwidth = rate;
        EXPECT_EQ(divides_evenly(network), whole) << rate.mbps;
    }
}

TEST(VcRouters, TakeSwitchAndLinkFromTheTimesOfTheNetwork) {
    InputQueuedParams params;
    params.vcs = 7;
    params.credit_delay = 5;
    const VcRouterParams router = vc_router(params, network_of(100_ns, 130_ns));
    EXPECT_EQ(router.vcs, 7u);
    EXPECT_EQ(router.credit_delay, 5u);
    EXPECT_EQ(router.switch_delay, 3u);     // 130 of 64 ns
    EXPECT_EQ(router.link_delay, 1u + 2);   // the flit itself, and 100 of 64 ns
}

TEST(VcRouters, SwitchAndSendInACycleAtLeast) {
    const VcRouterParams router = vc_router({}, network_of(0_ps, 0_ps));
    EXPECT_EQ(router.switch_delay, 1u);
    EXPECT_EQ(router.link_delay, 1u);
}

// Two routers in a row; a packet of 130 B is three flits, which leave the node in three cycles.
TEST(IdleLatency, OfInputQueuedRoutersIsTheZeroLoadTimeBeyondACycleAFlit) {
    const NetworkParams network = network_of(100_ns, 100_ns);
    const Topology topology = make_topology(MeshParams{1, 2}, 2, network.link);
    const Routes routes(topology, {});
    const VcRouterParams router = vc_router({}, network);
    const auto cycles = static_cast<std::int64_t>(zero_load_cycles(router, 2, 3));
    EXPECT_EQ(idle_latency(routes.path(Rank{0}, Rank{1}), topology, network, 130_B), (cycles - 3) * 64_ns);
    EXPECT_EQ(idle_latency(routes.path(Rank{0}, Rank{1}), topology, network, 0_B),
              static_cast<std::int64_t>(zero_load_cycles(router, 2, 1) - 1) * 64_ns)
        << "an empty packet has a head flit";
}

}   // namespace
}   // namespace oscar::input_queued_params_test
