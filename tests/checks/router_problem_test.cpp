// Problems of input-queued routers in the words of a configuration.
#include <gmock/gmock.h>

#include "models/network/transport/make_network.hpp"
#include "sim/checks/network_problem.hpp"

namespace oscar::router_problem_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

NetworkParams mesh() {
    NetworkParams network;
    network.topology = MeshParams{};
    network.switches.architecture = InputQueuedParams{};
    return network;
}

std::string router_problem(const NetworkParams& network, TimingFidelity fidelity = TimingFidelity::flit) {
    const auto found = find_problem(network, {&network.link, 1}, fidelity);
    if (!found) return "";
    const ConfigProblem said = config_problem(*found, network);
    return said.key + ": " + said.text;
}

template <class Change>
std::string problem_with(Change&& change) {
    NetworkParams network = mesh();
    change(network);
    return router_problem(network);
}

TEST(InputQueuedRouters, StandInMeshAndTorusOnly) {
    for_each_kind(topologies, []<class P>(const Kind<P>& kind) {
        const bool grid = kind.name == "mesh" || kind.name == "torus";
        const std::string found = problem_with([](NetworkParams& n) { n.topology = P{}; });
        EXPECT_EQ(found.starts_with("topology: input-queued routers stand in a mesh or a torus"), !grid) << kind.name;
        EXPECT_EQ(found.empty(), grid) << kind.name << found;
    });
}

TEST(InputQueuedRouters, GoByFlitsAlone) {
    for (const TimingFidelity fidelity : {TimingFidelity::flit, TimingFidelity::packet})
        EXPECT_EQ(router_problem(mesh(), fidelity), "");
    EXPECT_THAT(router_problem(mesh(), TimingFidelity::message), HasSubstr("write fidelity: flit or packet"));
}

TEST(InputQueuedRouters, KnowCreditsAlone) {
    const auto special = [](const std::string& key) {
        return StartsWith(key + ": input-queued routers know credits only");
    };
    for_each_kind(flow_controls, [&]<class P>(const Kind<P>& kind) {
        if (kind.name != "credit") {
            EXPECT_THAT(problem_with([](NetworkParams& n) { n.flow_control = P{}; }), special("flow_control"));
        }
    });
    for_each_kind(congestion_controls, [&]<class P>(const Kind<P>& kind) {
        if (kind.name != "none") {
            EXPECT_THAT(problem_with([](NetworkParams& n) { n.congestion = P{}; }), special("congestion"));
        }
    });
    for_each_kind(reliabilities, [&]<class P>(const Kind<P>& kind) {
        if (kind.name != "none") {
            EXPECT_THAT(problem_with([](NetworkParams& n) { n.reliability = P{}; }), special("reliability"));
        }
    });
    EXPECT_THAT(problem_with([](NetworkParams& n) { n.loss.rate = 0.1; }), special("loss"));
    NetworkParams lossy = mesh();
    lossy.loss.rate = 0.1;
    EXPECT_THAT(router_problem(lossy, TimingFidelity::packet), special("loss"));
}

TEST(InputQueuedRouters, GoInDimensionOrderOverChannelsOfTheirOwn) {
    for_each_kind(routings, []<class P>(const Kind<P>& kind) {
        const bool supported = kind.name == "default" || kind.name == "dimension_order";
        EXPECT_EQ(problem_with([](NetworkParams& n) { n.routing = P{}; }).empty(), supported) << kind.name;
    });
    EXPECT_THAT(problem_with([](NetworkParams& n) { n.routing = SprayParams{}; }),
                HasSubstr("routing: input-queued routers go in dimension order"));
    EXPECT_THAT(problem_with([](NetworkParams& n) { n.virtual_channels = 2; }),
                HasSubstr("virtual_channels: input-queued routers have those of network.switch.architecture.vcs"));
}

TEST(InputQueuedRouters, WantTwoVirtualChannelsInATorus) {
    const auto with = [](const TopologyKind& topology, std::uint32_t vcs) {
        NetworkParams network = mesh();
        InputQueuedParams queues;
        queues.vcs = vcs;
        network.topology = topology;
        network.switches.architecture = queues;
        return router_problem(network);
    };
    EXPECT_THAT(with(TorusParams{}, 1), HasSubstr("switch.architecture: a torus with 1 virtual channel can deadlock"));
    EXPECT_EQ(with(TorusParams{}, 2), "");
    EXPECT_EQ(with(MeshParams{}, 1), "");
}

TEST(InputQueuedRouters, WantLinksThatAreAlike) {
    const NetworkParams network = mesh();
    LinkParams other = network.link;
    other.propagation += 1_ps;
    const auto found = find_problem(network, {&other, 1}, TimingFidelity::flit);
    ASSERT_TRUE(found);
    EXPECT_EQ(config_problem(*found, network).key, "overrides");
}

TEST(InputQueuedRouters, WantCyclesOfWholePicoseconds) {
    EXPECT_EQ(problem_with([](NetworkParams& n) { n.link.bandwidth = 100_Gbps; }), "");
    EXPECT_THAT(problem_with([](NetworkParams& n) { n.link.bandwidth = 30_Gbps; }),
                HasSubstr("flit: a cycle of input-queued routers is a flit on a link: 64 B at 30000 Mbit/s take no"));
}

TEST(InputQueuedRouters, WantDelaysAndPacketsThatCanBeCounted) {
    const auto in_flits_of_a_byte = [](NetworkParams& n) {   // 400 Gbit/s: 20 ps
        n.flit = 1_B;
        n.packet = 64_B;
    };
    EXPECT_EQ(problem_with(in_flits_of_a_byte), "");
    EXPECT_THAT(problem_with([&](NetworkParams& n) {
                    in_flits_of_a_byte(n);
                    n.link.propagation = 20_us + 1_ps;
                }),
                HasSubstr("link: the propagation is more than 1000000 cycles"));
    EXPECT_THAT(problem_with([&](NetworkParams& n) {
                    in_flits_of_a_byte(n);
                    n.switches.latency = 20_us + 1_ps;
                }),
                HasSubstr("switch.latency: the latency is more than 1000000 cycles"));
    EXPECT_THAT(problem_with([&](NetworkParams& n) {
                    in_flits_of_a_byte(n);
                    n.packet = Bytes{65'536 - n.header.count};
                }),
                HasSubstr("packet: has more than 65535 flits"));
}

}   // namespace
}   // namespace oscar::router_problem_test
