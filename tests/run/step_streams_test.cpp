// Kernels beside exchanges: small times, worked out by hand.
#include "sim/run/lossy/step_streams.hpp"

#include <gtest/gtest.h>

namespace oscar::step_streams_test {
namespace {

CriticalPath kernels(std::int64_t dma, std::int64_t latency = 0) { return {.dma_ps = dma, .latency_ps = latency}; }

TEST(StepStreams, AddsEverythingWhereEachNeedsTheOneBefore) {
    StepStreams streams;
    EXPECT_EQ(streams.encode(kernels(7, 2), 0, {}), kernels(7, 2));
    streams.carry(100);
    EXPECT_EQ(streams.encode(kernels(5, 1), 0, std::vector{0U}), kernels(5, 1));
    streams.carry(100);
    EXPECT_EQ(streams.finish(kernels(30, 3)), kernels(30, 3));
}

TEST(StepStreams, EncodesWhileTheExchangeBeforeTravels) {
    for (const std::int64_t work : {99, 100, 101, 102}) {
        StepStreams streams;
        streams.encode(kernels(10), 0, {});
        streams.carry(100);
        EXPECT_EQ(streams.encode(kernels(work - 1, 1), 0, {}).total_ps(), std::max<std::int64_t>(0, work - 100));
    }
}

TEST(StepStreams, KernelsWaitForTheExchangesThatTheyNeedAndForTheKernelsBefore) {
    StepStreams streams;
    streams.encode(kernels(10), 0, {});
    streams.carry(100);                                                         // 10 to 110
    EXPECT_EQ(streams.encode(kernels(50), 0, {}).total_ps(), 0);                // 10 to 60
    streams.carry(20);                                                          // 110 to 130
    EXPECT_EQ(streams.encode(kernels(25), 0, std::vector{0U}).total_ps(), 5);   // 110 to 135
    streams.carry(1);                                                           // 135 to 136
    EXPECT_EQ(streams.encode(kernels(4), 0, {}).total_ps(), 3);                 // 135 to 139
    streams.carry(1);
    EXPECT_EQ(streams.finish({}), CriticalPath{});
}

TEST(StepStreams, AnExchangeWithoutKernelsKeepsNoKernelsWaiting) {
    StepStreams streams;
    streams.encode(kernels(10), 0, {});
    streams.carry(100);   // 10 to 110
    EXPECT_EQ(streams.encode({}, 0, std::vector{0U}).total_ps(), 0);
    streams.carry(50);                                              // 110 to 160
    EXPECT_EQ(streams.encode(kernels(150), 0, {}).total_ps(), 0);   // 10 to 160
    EXPECT_EQ(streams.encode(kernels(1), 0, {}).total_ps(), 1);
}

TEST(StepStreams, LaunchesWhenTheExchangesThatItNeedsAreDone) {
    StepStreams streams;
    EXPECT_EQ(streams.encode(kernels(3), 5, {}), kernels(0, 5));   // the launch takes longer
    streams.carry(100);                                            // 5 to 105
    EXPECT_EQ(streams.encode({}, 5, {}).total_ps(), 0);            // launched at 10
    streams.carry(10);                                             // 105 to 115
    EXPECT_EQ(streams.encode({}, 5, std::vector{1U}).total_ps(), 5);
    streams.carry(10);                                     // 120 to 130
    EXPECT_EQ(streams.encode({}, 14, {}).total_ps(), 4);   // launched from 120 to 134
}

TEST(StepStreams, DecodesBesideWhatFollows) {
    StepStreams streams;
    streams.encode(kernels(10), 0, {});
    streams.carry(100);                                           // 10 to 110
    streams.decode(kernels(40, 10));                              // 110 to 160
    EXPECT_EQ(streams.encode(kernels(5), 0, {}).total_ps(), 0);   // 10 to 15
    streams.carry(45);                                            // 110 to 155
    StepStreams longer = streams;
    EXPECT_EQ(streams.finish({}), kernels(0, 5));        // 155 to 160
    longer.decode(kernels(20));                          // 160 to 180
    EXPECT_EQ(longer.finish(kernels(3)), kernels(25));   // 155 to 158; 155 to 180
}

TEST(StepStreams, AnExchangeWithoutTimeIsDoneAtOnce) {
    StepStreams streams;
    EXPECT_EQ(streams.encode(kernels(10), 0, {}).total_ps(), 10);
    streams.carry(0);
    EXPECT_EQ(streams.encode(kernels(5), 0, std::vector{0U}).total_ps(), 5);
    EXPECT_EQ(streams.finish({}).total_ps(), 0);
}

}   // namespace
}   // namespace oscar::step_streams_test
