// Networks of routers as modules and in one event core agree on every picosecond. Seeds are printed.
#include "models/network/grid/router_fabric.hpp"
#include "tests/machine/router/router_support.hpp"
#include "tests/network/grid/random_routers.hpp"
#include "tests/network/grid/router_support.hpp"

namespace oscar::fidelity_test {
namespace {

using test::RandomRouters;
using test::Traffic;

constexpr std::uint64_t seeds = 600;

void expect_same(const LinkUse& a, const LinkUse& b) {
    EXPECT_EQ(a.busy, b.busy);
    EXPECT_EQ(std::tie(a.packets, a.wire_bytes, a.flits), std::tie(b.packets, b.wire_bytes, b.flits));
}

/// Both run the script.
template <class Network>
void expect_same(const FabricParams& params, const std::vector<std::vector<Hop>>& paths,
                 const std::vector<test::Sending>& script, const Network& network) {
    Traffic<RouterMachine> modules(params, paths, script, network.grid(), network.router);
    Traffic<RouterFabric> core(params, paths, script, network.grid(), network.router);
    modules.run();
    core.run();
    ASSERT_EQ(modules.crossings, core.crossings);
    EXPECT_EQ(modules.departures, core.departures);
    EXPECT_EQ(modules.arrivals, core.arrivals);
    EXPECT_EQ(modules.fabric.settled_at(), core.fabric.settled_at());
    for (const EdgeId e : params.links.indices())
        expect_same(modules.fabric.account().use(e), core.fabric.account().use(e));
    std::size_t packets = 0;
    for (const test::Sending& sending : script) packets += sending.message.packets;
    EXPECT_EQ(modules.arrivals.size(), packets) << "all arrive";
}

TEST(RoutersAsModules, AgreeWithTheEventCoreOnRandomGrids) {
    for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        const RandomRouters network(seed);
        expect_same(network.params, network.paths, network.script, network);
    }
}

TEST(RoutersAsModules, AgreeWithTheEventCoreWhereAllRanksSendToAllAndTimesAreFarApart) {
    for (std::uint64_t seed = 1; seed <= 15 && !HasFailure(); ++seed)
        for (const test::RoutersOf& of : test::random_routers(seed)) {
            SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << of.topology.ranks << " ranks");
            const test::Scripted scripted(of, seed);
            expect_same(of.params, scripted.paths, scripted.script, of);
        }
}

}   // namespace
}   // namespace oscar::fidelity_test
