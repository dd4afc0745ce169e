// A rate that units share: gates to the picosecond, and the same as byte by byte. Seeds are printed.
#include "models/timing/shared_rate.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace oscar::shared_rate_test {
namespace {

using namespace literals;

/// 8 Gbit/s are a byte in a nanosecond.
TEST(SharedRateTiming, MovesATransferThatIsAloneAtTheSlowerOfTwoRates) {
    SharedRate rate(8_Gbps);
    EXPECT_EQ(rate.carry(5_ns, 100_B, 4_Gbps), 205_ns);
    EXPECT_EQ(rate.carry(300_ns, 100_B, 80_Gbps), 400_ns);
    EXPECT_EQ(rate.busy(), 200_ns) << "that both take at the whole rate";
}

TEST(SharedRateTiming, LeavesTheRestToWhatIsAskedForLater) {
    SharedRate rate(12_Gbps);
    EXPECT_EQ(rate.carry(0_ns, 1000_B, 8_Gbps), 1000_ns);
    EXPECT_EQ(rate.carry(0_ns, 1000_B, 8_Gbps), 1500_ns) << "half of it at 4 Gbit/s, then half at 8";
    EXPECT_EQ(rate.carry(0_ns, 1000_B, 8_Gbps), 2250_ns) << "a quarter at 4 Gbit/s from 1000 to 1500 ns, the rest at 8";
}

TEST(SharedRateTiming, LetsATransferPassBeforeOneThatWasAskedForEarlierIfItEndsInTime) {
    for (const auto& [size, end] : {std::pair{999_B, 999_ns}, {1000_B, 1000_ns}, {1001_B, 2001_ns}}) {
        SharedRate rate(8_Gbps);
        EXPECT_EQ(rate.carry(1000_ns, 1000_B, 8_Gbps), 2000_ns);
        EXPECT_EQ(rate.carry(0_ns, size, 8_Gbps), end);
    }
}

TEST(SharedRateTiming, BlocksUntilThePicosecondInWhichTheOtherEnds) {
    for (const Time begin : {999'999_ps, 1'000'000_ps, 1'000'001_ps}) {
        SharedRate rate(8_Gbps);
        rate.carry(0_ns, 1000_B, 8_Gbps);
        EXPECT_EQ(rate.carry(begin, 1_B, 8_Gbps), std::max(begin, 1000_ns) + 1_ns);
    }
}

TEST(SharedRateTiming, ForgetsWhatItHasCarried) {
    SharedRate rate(8_Gbps);
    rate.carry(0_ns, 1000_B, 8_Gbps);
    rate.clear();
    EXPECT_EQ(rate.busy(), 0_ns);
    EXPECT_EQ(rate.carry(0_ns, 1000_B, 8_Gbps), 1000_ns);
}

/// The definition: each picosecond by itself.
struct ByPicoseconds {
    std::vector<std::uint64_t> free;
    ByPicoseconds(Bandwidth whole, std::size_t span) : free(span, whole.mbps) {}
    Time carry(Time begin, Bytes size, Bandwidth most) {
        std::uint64_t left = size.count * 8'000'000;   // Mbit/s times picoseconds
        auto now = static_cast<std::size_t>(begin.ps);
        for (; left > 0; ++now) {
            const std::uint64_t rate = std::min(most.mbps, free[now]);
            free[now] -= rate;
            left -= std::min(left, rate);
        }
        return {static_cast<std::int64_t>(now)};
    }
};

TEST(SharedRate, CarriesAsPicosecondByPicosecondWhateverIsAskedInWhateverOrder) {
    std::mt19937_64 random(7);
    const auto between = [&](std::uint64_t least, std::uint64_t most) { return least + random() % (most - least + 1); };
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE("seed 7, round " + std::to_string(round));
        const Bandwidth whole{between(100'000, 4'000'000)};
        SharedRate rate(whole);
        ByPicoseconds each(whole, 60'000);
        for (int i = 0; i < 12; ++i) {
            const Time begin{static_cast<std::int64_t>(between(0, 3000))};
            const Bytes size{between(1, 40)};
            const Bandwidth most{between(50'000, 5'000'000)};
            ASSERT_EQ(rate.carry(begin, size, most), each.carry(begin, size, most)) << "transfer " << i;
        }
    }
}

}   // namespace
}   // namespace oscar::shared_rate_test
