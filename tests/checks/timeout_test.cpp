// Timeouts that no network can keep, and faults that nothing survives.
#include <gmock/gmock.h>

#include "sim/checks/checks.hpp"
#include "sim/checks/effort/round_trips.hpp"
#include "sim/checks/load_experiment.hpp"
#include "sim/checks/network.hpp"
#include "sim/config/load.hpp"

namespace oscar::timeout_test {
namespace {

using ::testing::HasSubstr;

/// Of the checks with the topology; "no error".
std::string error_of(const std::string& network, const std::string& more = "size: 64KiB, payload: synthetic, ") {
    const Experiment experiment = make_experiment(
        parse_config("{" + more + "methods: [fp32], ranks: 8, network: {" + network + "}}", "w.yaml"), "w.yaml");
    const Parameters& p = experiment.parameters;
    const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
    try {
        run_checks(checks_as_cabled, CabledExperiment{experiment, topology, 0});
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

/// Two links of 500 ns, a switch of 300 ns, two NICs of 100 ns: there and back 2.8 us, and the bytes of a packet and
/// its answer.
std::string star_with(const std::string& timeout) { return "reliability: {kind: selective, timeout: " + timeout + "}"; }

TEST(ATimeout, IsRefusedWhereNotEvenAnIdleNetworkAnswersInTime) {
    EXPECT_THAT(error_of(star_with("2500ns")),
                HasSubstr("network.reliability.timeout: 2500ns is below the idle round trip of 2887"));
    EXPECT_THAT(error_of(star_with("2500ns")), HasSubstr(" and back, so that packets are sent again that only travel; "
                                                         "write at least 3us"));
    EXPECT_EQ(error_of(star_with("3us")), "no error");
}

TEST(ATimeout, IsThatOfTheFarthestRanksThatExchangeMessages) {
    const std::string farther = ", topology: fat_tree";   // six links and five switches between pods
    EXPECT_THAT(error_of(star_with("3us") + farther), HasSubstr("is below the idle round trip of 9298ns"));
    EXPECT_EQ(error_of(star_with("10us") + farther), "no error");
}

/// The ring stays between neighbours; its first rank and the middle one are four cables apart.
TEST(ATimeout, IsThatOfBackgroundTrafficToo) {
    const std::string mesh = ", topology: {kind: mesh, rows: 1, columns: 8}, routing: dimension_order";
    const std::string flows =
        "payload: synthetic, collective: {kind: flows, flows: [{from: 0, to: 1, bytes: 64KiB}]}, ";
    EXPECT_EQ(error_of(star_with("5us") + mesh, flows), "no error");
    EXPECT_THAT(error_of(star_with("5us") + mesh + ", background: {load: 0.1}", flows),
                HasSubstr("network.reliability.timeout: 5us is below the idle round trip"));
}

TEST(ATimeout, OfAPacketIsShorterWhereMessagesAre) {
    const std::string network = star_with("100us") + ", packet: 64KiB, link: {bandwidth: 1Gbps, buffer: 1MiB}";
    EXPECT_THAT(error_of(network, "size: 8MiB, payload: synthetic, "), HasSubstr("is below the idle round trip"));
    EXPECT_EQ(error_of(network, "size: 8KiB, payload: synthetic, "), "no error");   // packets of 1 KiB
}

TEST(ATimeout, OfTheIdleRoundTripItselfIsTooShortAndOneOfAPicosecondMoreIsNot) {
    const Experiment experiment =
        make_experiment(parse_config("{size: 64KiB, payload: synthetic, methods: [fp32], ranks: 8, network: {" +
                                         star_with("3us") + "}}",
                                     "w.yaml"),
                        "w.yaml");
    const Parameters& p = experiment.parameters;
    const Topology topology = cabled_topology(p.network, p.ranks, experiment.source.child("network"));
    const Time idle = longest_round_trip(p, Routes(topology, p.network.routing), least_full_packet(p, 0)).time;
    // Two links of 500 ns there and two back, a switch of 300 ns and a NIC of 100 ns each way; the bits of a packet of
    // 4 KiB and a header of 82 B, and of an answer, and a flit of each in the switch.
    EXPECT_NEAR(static_cast<double>(idle.ps), 2'887'000, 1'000);
    EXPECT_THAT(error_of(star_with(std::to_string(idle.ps) + "ps")), HasSubstr("is below the idle round trip"));
    EXPECT_EQ(error_of(star_with(std::to_string(idle.ps + 1) + "ps")), "no error");
}

TEST(ATimeout, OfSlicesIsThatOfTheirMessages) {
    const std::string network = star_with("100us") + ", packet: 64KiB, link: {bandwidth: 1Gbps, buffer: 1MiB}";
    const auto of_slices = [&](int slices) {
        return error_of(network, "size: 1MiB, payload: synthetic, collective: {kind: ring, slices: " +
                                     std::to_string(slices) + "}, ");
    };
    EXPECT_THAT(of_slices(1), HasSubstr("is below the idle round trip"));
    EXPECT_EQ(of_slices(128), "no error");   // packets of 1 KiB
}

TEST(Faults, ThatHitEveryPacketAreRefusedWhereTheyAreRepaired) {
    const std::string repaired = "reliability: go_back_n, faults: ";
    EXPECT_THAT(error_of(repaired + "{drop: 1}"), HasSubstr("network.faults.drop: no packet ever comes whole"));
    EXPECT_THAT(error_of(repaired + "{flip: 1}"), HasSubstr("network.faults.flip: no packet ever comes whole"));
    EXPECT_THAT(error_of(repaired + "{flip: 1}"), HasSubstr("write less than 1, like 0.5, or check: none"));
    EXPECT_EQ(error_of(repaired + "{drop: 0.99, flip: 0.99, duplicate: 1, reorder: 1}"), "no error");
}

TEST(Faults, ThatNobodyChecksMayHitEveryPacket) {
    EXPECT_EQ(error_of("reliability: go_back_n, faults: {flip: 1, check: none}", "trace: t, "), "no error");
}

}   // namespace
}   // namespace oscar::timeout_test
