#include "models/timing/servers.hpp"

#include <gtest/gtest.h>

namespace oscar::servers_test {
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

TEST(PipelinedUnitTiming, RoundsAPieceOfWorkUpToACycleOnceHoweverItIsDivided) {
    for (const Cycles width : {1u, 32u, 33u, 48u, 63u, 64u, 128u, 4096u, 65536u}) {
        PipelinedUnit unit(1_GHz, false, width);
        for (const std::int64_t begin : {0, 10'000}) {
            const Time start{begin * 1000};
            unit.begin_piece();
            for (Cycles done = 64; done <= 64 * 100; done += 64)   // blocks of 64 values that are there at once
                EXPECT_EQ(unit.serve({start}, 64, 5).at,
                          start + static_cast<std::int64_t>((done + width - 1) / width + 5) * 1_ns)
                    << width << " wide, " << done << " values";
        }
    }
}

TEST(PipelinedUnitTiming, BeginsEachPieceOfWorkInACycleOfItsOwn) {
    PipelinedUnit unit(1_GHz, false, 100);
    EXPECT_EQ(unit.serve({0_ns}, 10, 0).at, 1_ns);
    EXPECT_EQ(unit.serve({0_ns}, 90, 0).at, 1_ns);    // the rest of the first cycle
    EXPECT_EQ(unit.serve({0_ns}, 101, 0).at, 3_ns);   // of which the last is one place
    unit.begin_piece();
    EXPECT_EQ(unit.serve({0_ns}, 99, 0).at, 4_ns);
}

TEST(ChannelTiming, AddsLatencyOnceToRequestsThatFollowEachOther) {
    DmaChannel channel(8_Gbps, 100_ns);
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
}   // namespace oscar::servers_test
