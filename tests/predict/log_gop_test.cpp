#include "models/predict/log_gop.hpp"

#include <gtest/gtest.h>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar::log_gop_test {
namespace {

struct Sending {
    std::uint32_t from, to, timestep = 0;
    std::vector<StepId> after = {};
};
Sending message(std::uint32_t from, std::uint32_t to, std::uint32_t timestep = 0, std::vector<StepId> after = {}) {
    return {from, to, timestep, std::move(after)};
}

Time time_of(const std::vector<Sending>& messages, Bytes size, Time gap = {}) {
    Schedule schedule{4, 1, {}};
    for (const Sending& m : messages) {
        const JoinId join = m.after.empty() ? JoinId{} : schedule.joins.add(m.after);
        schedule.steps.push_back({Rank{m.from}, Rank{m.to}, ChunkId{0}, Op::copy, Timestep{m.timestep}, join});
    }
    return log_gop_time({2500_ns, 1500_ns, gap}, schedule, size);
}

TEST(LogGop, AMessageTakesOverheadLatencyGapsAndOverhead) {
    EXPECT_EQ(time_of({message(0, 1)}, {1}, 7_ns), 5500_ns);     // 1500 + 2500 + 0 * 7 + 1500
    EXPECT_EQ(time_of({message(0, 1)}, {101}, 7_ns), 6200_ns);   // + 100 * 7
    EXPECT_EQ(time_of({message(0, 1)}, {0}, 7_ns), 5500_ns);     // an empty one has no fewer
}

TEST(LogGop, AProcessorSendsOneMessageAfterTheOther) {
    EXPECT_EQ(time_of({message(0, 1), message(0, 2)}, {0}), 7000_ns);   // 2 * 1500 + 2500 + 1500
}

TEST(LogGop, AProcessorTakesOneMessageAfterTheOther) {
    EXPECT_EQ(time_of({message(1, 0), message(2, 0), message(3, 0)}, {0}), 8500_ns);   // 1500 + 2500 + 3 * 1500
}

TEST(LogGop, ALinkCarriesTheBytesOfOneMessageAfterTheOther) {
    // Sent at 1500 and 3000; the bytes of the first leave until 1500 + 10000, of the second until 21500; + 2500 + 1500.
    EXPECT_EQ(time_of({message(0, 1), message(0, 2)}, {10'001}, 1_ns), 25'500_ns);
}

TEST(LogGop, AStepWaitsForWhatItDependsOn) {
    EXPECT_EQ(time_of({message(0, 1), message(1, 2, 1, {StepId{0}})}, {0}), 11'000_ns);
}

TEST(LogGop, AStepWaitsForWhatHappensElsewhere) {
    EXPECT_EQ(time_of({message(0, 1), message(2, 3, 1, {StepId{0}})}, {0}), 11'000_ns);
}

TEST(LogGop, AProcessorTakesFirstWhatComesFirst) {
    // What rank 1 sends when it has taken a message comes at 5500 + 4000, what rank 2 sends meanwhile at 4000.
    EXPECT_EQ(time_of({message(3, 1), message(1, 0, 1, {StepId{0}}), message(2, 0, 1)}, {0}), 11'000_ns);
}

TEST(LogGop, SendingAndReceivingShareTheProcessor) {
    // What comes to rank 1 at 4000 waits for the last of its three sends, which end at 4500.
    EXPECT_EQ(time_of({message(0, 1), message(1, 0), message(1, 2), message(1, 3)}, {0}), 8500_ns);   // of the third
    EXPECT_EQ(time_of({message(0, 1), message(1, 0), message(1, 2), message(1, 3), message(1, 0, 1, {StepId{0}})}, {0}),
              11'500_ns);   // 4500 + 1500, then 5500
}

TEST(LogGop, WhatGoesToOneRankInOneTimestepIsOneMessage) {
    EXPECT_EQ(time_of({message(0, 1), message(0, 1)}, {101}, 7_ns), 5500_ns + 201 * 7_ns);   // of 2 * 101 bytes
    EXPECT_EQ(time_of({message(0, 1), message(0, 1), message(2, 3, 1, {StepId{1}})}, {0}), 11'000_ns);   // ends at once
}

TEST(LogGop, OfADisseminationIsAMessageInEachTimestep) {
    for (const auto& [ranks, timesteps] : {std::pair{2u, 1}, {5u, 3}, {16u, 4}})
        EXPECT_EQ(log_gop_time({2500_ns, 1500_ns, 1_ns},
                               make_schedule(AllGatherParams{{}, AllGatherShape::dissemination}, ranks), {}),
                  std::int64_t{timesteps} * 5500_ns)
            << ranks;
    // Of 16 bytes at each rank, 1, 2, 4 and 8 travel, a nanosecond for each behind the first: 4 * 5500 + 15 - 4.
    EXPECT_EQ(log_gop_time({2500_ns, 1500_ns, 1_ns},
                           make_schedule(AllGatherParams{{}, AllGatherShape::dissemination}, 16), {16}),
              22'011_ns);
}

TEST(LogGop, OfARingIsTwoNMinusOneMessages) {
    for (const std::uint32_t n : {2u, 5u, 16u})
        EXPECT_EQ(log_gop_time({2500_ns, 1500_ns, 1_ns}, make_schedule(RingParams{}, n), {n * 1001}),
                  2 * (std::int64_t{n} - 1) * 6500_ns);   // 1500 + 2500 + 1000 + 1500
}

}   // namespace
}   // namespace oscar::log_gop_test
