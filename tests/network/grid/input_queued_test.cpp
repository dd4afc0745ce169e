#include "models/network/grid/input_queued.hpp"

#include <gtest/gtest.h>

#include "models/network/grid/router_fabric.hpp"
#include "models/network/transport/make_network.hpp"

namespace oscar::input_queued_test {
namespace {

NetworkParams mesh() {
    NetworkParams network;
    network.topology = MeshParams{};
    network.switches.architecture = InputQueuedParams{};
    return network;
}

TEST(InputQueuedRouters, StandInAMeshOfFlits) {
    NetworkParams network = mesh();
    const auto problem = [&](TimingFidelity fidelity) { return find_problem(network, {&network.link, 1}, fidelity); };
    EXPECT_FALSE(problem(TimingFidelity::flit));
    EXPECT_FALSE(problem(TimingFidelity::packet));
    EXPECT_TRUE(std::holds_alternative<RoutersByMessage>(problem(TimingFidelity::message).value()));
    network.topology = StarParams{};
    EXPECT_TRUE(std::holds_alternative<RoutersWithoutGrid>(problem(TimingFidelity::flit).value()));
}

struct Nobody : FabricClient {
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

TEST(InputQueuedRouters, AreANetworkThatIsNotPlain) {
    Nobody client;
    const NetworkParams network = mesh();
    const Topology topology = make_topology(network.topology, 4, network.link);
    FabricParams params{{}, network.flit, 1, topology.grid};
    for (const auto& edge : topology.edges) params.links.push_back({edge.from, edge.to, edge.link, {}});
    EXPECT_FALSE(is_plain(network));
    EXPECT_FALSE(answers(network));
    EXPECT_TRUE(dynamic_cast<RouterFabric*>(make_network(TimingFidelity::packet, params, network, client, {}).get()));
    params.grid.reset();
    EXPECT_THROW(make_network(TimingFidelity::packet, params, network, client, {}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::input_queued_test
