// Kernels that code messages: the time of a call by its size, and calls that wait for each other.
#include "models/gpu/coding_kernels.hpp"

#include <gtest/gtest.h>

namespace oscar::coding_kernels_test {
namespace {

/// Calls of 10, 12 and 20 ns.
const std::vector<CodingRate> rates{{100, 10}, {240, 20}, {800, 40}};

TEST(ACodingCall, TakesTheTimeOfTheTableAndBetweenTwoSizesOneInProportion) {
    EXPECT_EQ(coding_time(rates, 100), 10_ns);
    EXPECT_EQ(coding_time(rates, 240), 12_ns);
    EXPECT_EQ(coding_time(rates, 800), 20_ns);
    EXPECT_EQ(coding_time(rates, 170), 11_ns);   // half way from 100 to 240
    EXPECT_EQ(coding_time(rates, 380), 14_ns);   // a quarter of the way from 240 to 800
}

TEST(ACodingCall, OfFewValuesTakesTheLaunchAndOfManyTheLastSpeed) {
    EXPECT_EQ(coding_time(rates, 1), 10_ns);
    EXPECT_EQ(coding_time(rates, 99), 10_ns);
    EXPECT_EQ(coding_time(rates, 4000), 100_ns);   // 40 a ns
    EXPECT_EQ(coding_time(rates, 0), 0_ns);
}

TEST(ACodingCall, NeverTakesLessForMoreValues) {
    for (std::uint64_t values = 1; values < 1000; ++values)
        EXPECT_LE(coding_time(rates, values), coding_time(rates, values + 1)) << values;
}

TEST(CodingRates, ThatNobodyCanHaveMeasuredHaveAProblem) {
    EXPECT_EQ(find_problem(rates), "");
    EXPECT_EQ(find_problem({}), "has no speeds");
    EXPECT_EQ(find_problem(std::vector<CodingRate>{{100, 10}, {100, 20}}), "entries 1 and 2 do not ascend in values");
    EXPECT_EQ(find_problem(std::vector<CodingRate>{{100, 10}, {240, 20}, {800, 400}}),
              "more values take less time from entry 2 to 3");   // 12 ns, then 2
}

TEST(CodingKernels, WaitForEachOtherWhateverTheyDo) {
    CodingKernels kernels({rates, {{100, 5}}}, 8_Gbps);   // decoding takes 20 ns, and a byte of memory 1 ns
    EXPECT_EQ(kernels.encode({5_ns}, 100).at, 15_ns);
    EXPECT_EQ(kernels.decode({8_ns}, 100, 7_B).at, 42_ns);   // 15 + 20 + 7
    const TimedEvent third = kernels.encode({100_ns}, 240);
    EXPECT_EQ(third.at, 112_ns);
    EXPECT_EQ(third.path.engine_ps, 12'000);
    EXPECT_EQ(kernels.encoder_busy().size(), 2u);
    EXPECT_EQ(kernels.decoder_busy().front().end - kernels.decoder_busy().front().begin, 27_ns);
    kernels.begin();
    EXPECT_EQ(kernels.decode({0_ns}, 100, 0_B).at, 20_ns);
    EXPECT_TRUE(kernels.encoder_busy().empty());
}

}   // namespace
}   // namespace oscar::coding_kernels_test
