#include "models/network/transport/make_network.hpp"

#include <gtest/gtest.h>

#include "models/network/event/message_fabric.hpp"

namespace oscar::make_network_test {
namespace {

constexpr LinkParams link;

std::optional<NetworkProblem> problem(const NetworkParams& network, TimingFidelity fidelity = TimingFidelity::packet) {
    return find_problem(network, {&link, 1}, fidelity);
}

NetworkParams reliable(const Reliability& reliability) {
    NetworkParams network;
    network.reliability = reliability;
    return network;
}

TEST(NetworkProblems, AreNoneWithTheDefaultsOfEachKind) {
    for_each_kind(flow_controls, []<class P>(const Kind<P>& kind) {
        NetworkParams network;
        network.flow_control = P{};
        EXPECT_FALSE(problem(network)) << kind.name;
        EXPECT_EQ(is_plain(network), kind.name == "credit");
    });
    for_each_kind(reliabilities, []<class P>(const Kind<P>& kind) {
        EXPECT_FALSE(problem(reliable(P{}))) << kind.name;
        EXPECT_EQ(is_plain(reliable(P{})), kind.name == "none");
        EXPECT_EQ(answers(reliable(P{})), (std::derived_from<P, RetransmissionParams>));
    });
    for_each_kind(congestion_controls, []<class P>(const Kind<P>& kind) {
        NetworkParams network;
        network.congestion = P{};
        EXPECT_FALSE(problem(network)) << kind.name;
        EXPECT_EQ(is_plain(network), kind.name == "none");
        EXPECT_EQ(answers(network), kind.name == "dcqcn");
    });
}

TEST(NetworkProblems, AreLossWithoutRepairAndFeaturesThatFlitsDoNotHave) {
    NetworkParams lossy;
    lossy.loss.rate = 0.1;
    EXPECT_FALSE(is_plain(lossy));
    EXPECT_TRUE(std::holds_alternative<UnrepairedLoss>(problem(lossy).value()));
    lossy.reliability = GoBackNParams{};
    EXPECT_FALSE(problem(lossy));
    EXPECT_FALSE(problem(lossy, TimingFidelity::message));
    EXPECT_EQ(std::get<CreditsOnly>(problem(lossy, TimingFidelity::flit).value()).feature, PacketFeature::reliability);
}

struct Nobody : FabricClient {
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

TEST(ANetwork, IsTheFidelitysIfItIsPlainAndGoesByPacketsElse) {
    Nobody client;
    const auto make = [&](TimingFidelity fidelity, const NetworkParams& network) {
        return make_network(fidelity, {}, network, client, {});
    };
    EXPECT_THROW(make(TimingFidelity::flit, {}), std::invalid_argument) << "it is SystemC";
    EXPECT_TRUE(dynamic_cast<MessageFabric*>(make(TimingFidelity::message, {}).get()));
    const auto policy = [&](TimingFidelity fidelity, const NetworkParams& network) {
        const auto fabric = make(fidelity, network);
        return dynamic_cast<PacketFabric&>(*fabric).policy() != nullptr;
    };
    EXPECT_FALSE(policy(TimingFidelity::packet, {}));
    EXPECT_FALSE(policy(TimingFidelity::message, {}));
    EXPECT_TRUE(policy(TimingFidelity::message, reliable(GoBackNParams{})));
    EXPECT_FALSE(make(TimingFidelity::packet, {})->transport_use());
    EXPECT_TRUE(make(TimingFidelity::packet, reliable(GoBackNParams{}))->transport_use());
}

}   // namespace
}   // namespace oscar::make_network_test
