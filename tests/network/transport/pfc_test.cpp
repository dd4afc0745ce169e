// 8 Gbit/s is 1 byte per ns, so that expected numbers can be read off.
#include <gmock/gmock.h>

#include "models/network/transport/pfc.hpp"

namespace oscar::pfc_test {
namespace {

constexpr LinkParams link{8_Gbps, 500_ns, 10'000_B};

PfcParams with_response(Time response) {
    PfcParams pfc;
    pfc.response = response;
    return pfc;
}

TEST(Headroom, IsWhatTheLinkCarriesUntilTheStopAndAPacketThatHasJustBegun) {
    // First flit 64 ns, 500 ns there, 500 ns back, 36 ns: bytes that have begun before 1100 ns are at most 1099.
    EXPECT_EQ(pause_delay(link, with_response(36_ns), 64_B), 1100_ns);
    EXPECT_EQ(headroom(link, with_response(36_ns), 64_B, 700_B), 1099_B + 700_B);
    EXPECT_EQ(headroom(link, with_response(36_ns) /* and a piece of a byte's time */, 64_B, 700_B).count + 1,
              headroom(link, with_response(36_ns + 1_ps), 64_B, 700_B).count);
}

TEST(Thresholds, LeftOutAreTheBufferLessTheHeadroomAndHalfOfThat) {
    const PfcParams pfc = resolved(with_response(36_ns), link, 64_B, 700_B);
    EXPECT_EQ(pfc.xoff, 10'000_B - 1799_B);
    EXPECT_EQ(pfc.xon, 4100_B);
}

TEST(Thresholds, GivenStayAsTheyAre) {
    const PfcParams pfc = resolved({2000_B, 1500_B, 0_ps}, link, 64_B, 700_B);
    EXPECT_EQ(pfc.xoff, 2000_B);
    EXPECT_EQ(pfc.xon, 1500_B);
}

TEST(Thresholds, ThatCannotHoldAreProblemsWithTheBytesThatAreInTheWay) {
    const LinkParams cable{8_Gbps, 500_ns, 1799_B};
    const auto small = find_problem(with_response(36_ns), cable, 64_B, 700_B);
    EXPECT_EQ(std::get<BufferBelowHeadroom>(small.value()).headroom, 1799_B);
    const auto reversed = find_problem(PfcParams{2000_B, 2001_B, 0_ps}, link, 64_B, 700_B);
    EXPECT_EQ(std::get<XonAboveXoff>(reversed.value()).xoff, 2000_B);
    EXPECT_FALSE(find_problem(PfcParams{2000_B, 2000_B, 0_ps}, link, 64_B, 700_B));
}

TEST(PauseGate, PausesAboveXoffAndResumesAtXonOnce) {
    PauseGate gate(1000_B, 400_B);
    EXPECT_EQ(gate.arrived(1000_B), PauseChange::none);
    EXPECT_EQ(gate.arrived(1_B), PauseChange::pause);
    EXPECT_EQ(gate.arrived(500_B), PauseChange::none);
    EXPECT_EQ(gate.filled(), 1501_B);
    EXPECT_EQ(gate.left(1100_B), PauseChange::none);
    EXPECT_TRUE(gate.paused());
    EXPECT_EQ(gate.left(1_B), PauseChange::resume);
    EXPECT_EQ(gate.left(400_B), PauseChange::none);
    EXPECT_FALSE(gate.paused());
}

}   // namespace
}   // namespace oscar::pfc_test
