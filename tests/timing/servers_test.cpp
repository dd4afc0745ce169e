#include "models/engine/servers.hpp"

#include <gtest/gtest.h>

namespace oscar {
namespace {

using namespace literals;

TEST(PipelinedUnitTiming, StartsAtTheFirstEdgeAtOrAfterReady) {
    for (const auto& [ready, start] :
         {std::pair{0_ps, 0_ns}, {1_ps, 1_ns}, {999_ps, 1_ns}, {1000_ps, 1_ns}, {1001_ps, 2_ns}}) {
        PipelinedUnit unit(1_GHz);
        EXPECT_EQ(unit.serve({ready}, 10, 5).at, start + 10_ns + 5_ns) << ready.ps;
    }
}

TEST(PipelinedUnitTiming, TakesTheNextRequestWhenTheInputIsFreeNotWhenTheResultIsOut) {
    PipelinedUnit unit(1_GHz);
    EXPECT_EQ(unit.serve({0_ns}, 10, 5).at, 15_ns);
    EXPECT_EQ(unit.serve({0_ns}, 10, 5).at, 25_ns);
    EXPECT_EQ(unit.serve({100_ns}, 1, 5).at, 106_ns);
    EXPECT_EQ(unit.busy(), (std::vector<Span>{{0_ns, 20_ns}, {100_ns, 101_ns}}));
}

TEST(PipelinedUnitTiming, KeepsItsClockWithoutDrift) {
    PipelinedUnit unit({1'500'000});   // 1.5 GHz: edges at 0, 667, 1334, 2000 ps
    EXPECT_EQ(unit.serve({0_ps}, 1, 0).at, 667_ps);
    EXPECT_EQ(unit.serve({0_ps}, 1, 0).at, 1334_ps);
    EXPECT_EQ(unit.serve({0_ps}, 1, 0).at, 2000_ps);
    EXPECT_EQ(unit.serve({2001_ps}, 1, 0).at, 3334_ps);   // next edge 2667, one cycle on
}

TEST(ChannelTiming, AddsLatencyOnceToRequestsThatFollowEachOther) {
    Channel channel(8_Gbps, 100_ns);
    EXPECT_EQ(channel.serve({0_ns}, 50_B).at, 150_ns);
    EXPECT_EQ(channel.serve({0_ns}, 50_B).at, 200_ns);
    EXPECT_EQ(channel.serve({500_ns}, 8_B).at, 608_ns);
}

TEST(Spans, JoinWhereTheyTouchAndStayApartWhereTheyDoNot) {
    std::vector<Span> spans;
    append(spans, {0_ns, 5_ns});
    append(spans, {5_ns, 6_ns});
    append(spans, {6_ns + 1_ps, 9_ns});
    EXPECT_EQ(spans, (std::vector<Span>{{0_ns, 6_ns}, {6_ns + 1_ps, 9_ns}}));
}

}   // namespace
}   // namespace oscar
