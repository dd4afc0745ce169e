#include "models/core/units.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "models/core/long_time.hpp"
#include "tests/core/random.hpp"

namespace oscar::units_test {
namespace {

using namespace literals;

TEST(Serialization, TakesEightBitsAByte) {
    // 4096 B * 8 = 32768 bit at 400 bit/ns = 81.92 ns
    EXPECT_EQ(serialization(4_KiB, 400_Gbps), 81'920_ps);
    EXPECT_EQ(serialization(0_B, 400_Gbps), 0_ps);
}

TEST(Serialization, RoundsUpToThePicosecond) {
    // 1 B = 8 bit at 3 Gbit/s = 2666.67 ps
    EXPECT_EQ(serialization(1_B, 3_Gbps), 2'667_ps);
}

/// ceil(bytes * 8 * 10^12 / (mbps * 10^6)) ps, in 128 bits.
UInt128 serialization_ps(std::uint64_t bytes, std::uint64_t mbps) {
    const UInt128 bits_per_second = UInt128{mbps} * 1'000'000;
    const UInt128 pico_bits = UInt128{bytes} * 8 * 1'000'000'000'000;
    return (pico_bits + bits_per_second - 1) / bits_per_second;
}

TEST(Serialization, IsExactForEverySizeWhoseTimeATimeCanHold) {
    // bytes * 8 * 10^12 leaves 64 bits at 2^64 / (8 * 10^12) = 2.3 MB (signed: 1.15 MB), bytes * 8 * 10^6 at 2.3 TB
    std::mt19937_64 random(1);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t bytes = 1'100'000 + testing::random_magnitude(random, 59);   // up to 512 PiB
        const std::uint64_t mbps = 1 + testing::random_magnitude(random, 24);
        const UInt128 expected = serialization_ps(bytes, mbps);
        if (expected >> 63 != 0)
            ASSERT_THROW(serialization({bytes}, {mbps}), OutOfRange) << bytes << " B at " << mbps << " Mbit/s";
        else
            ASSERT_TRUE(static_cast<UInt128>(serialization({bytes}, {mbps}).ps) == expected)
                << bytes << " B at " << mbps << " Mbit/s";
    }
}

TEST(Serialization, Of16TiBIsExact) {
    // 2^44 B * 8 = 2^47 bit; at 1600 bit/ns 2^47 / 1600 ns = 87,960,930,222.08 ns
    EXPECT_EQ(serialization(16384_GiB, 1600_Gbps).ps, 87'960'930'222'080);
}

TEST(Serialization, RefusesATimeThatExceeds106Days) {
    // 2^63 ps at 1 Mbit/s, 8,000,000 ps a byte: 1,152,921,504,606 bytes and 0.85 of one
    EXPECT_EQ(serialization({1'152'921'504'606}, 1_Mbps).ps, 1'152'921'504'606 * 8'000'000);
    EXPECT_THROW(serialization({1'152'921'504'607}, 1_Mbps), OutOfRange);
}

TEST(LongTimes, AreSummedAndMultipliedExactlyAndNarrowedOnlyInRange) {
    const LongTime half(Time{std::int64_t{1} << 62});
    EXPECT_EQ((half + LongTime(Time{(std::int64_t{1} << 62) - 1})).narrowed().ps,
              std::numeric_limits<std::int64_t>::max());
    EXPECT_THROW((2 * half).narrowed(), OutOfRange);
    EXPECT_THROW(((std::uint64_t{1} << 40) * half + half).narrowed(), OutOfRange);
}

TEST(Amounts, OfDataBeyond64BitsAreRefused) {
    EXPECT_EQ(to_bytes(std::numeric_limits<std::uint64_t>::max()).count, std::numeric_limits<std::uint64_t>::max());
    EXPECT_THROW(to_bytes(UInt128{1} << 64), OutOfRange);
}

TEST(Clock, HasItsEdgesAtTheRoundedUpMultiplesOfThePeriod) {
    const Clock clock(Frequency{700'000});   // 700 MHz: a period of 1428.571… ps
    EXPECT_EQ(clock.edge(0), 0_ps);
    EXPECT_EQ(clock.edge(1), 1'429_ps);
    EXPECT_EQ(clock.edge(7), 10'000_ps);   // seven periods are ten nanoseconds: no drift
    EXPECT_EQ(clock.edge(7'000'000), 10_ms);
}

TEST(Clock, NextEdgeIsTheFirstAtOrAfterATime) {
    const Clock clock(1_GHz);
    EXPECT_EQ(clock.next_edge(0_ps), 0U);
    EXPECT_EQ(clock.next_edge(1_ps), 1U);
    EXPECT_EQ(clock.next_edge(1'000_ps), 1U);
    EXPECT_EQ(clock.next_edge(1'001_ps), 2U);
}

TEST(Clock, NextEdgeIsGateExactForOddFrequenciesAndRandomTimes) {
    std::mt19937_64 random(2);
    for (const std::uint64_t khz : {1ULL, 3ULL, 999'999ULL, 1'000'001ULL, 1'234'567ULL, 1'410'000ULL, 333'333'333ULL}) {
        const Clock clock(Frequency{khz});
        // edge(n) is exact while n * 10^9 fits 64 bits: n up to 2^34
        const std::uint64_t last = (1ULL << 33) / khz * 1'000'000'000 + 999'999'999;
        for (int i = 0; i < 20'000; ++i) {
            const Time time{static_cast<std::int64_t>(testing::random_magnitude(random, 62) % last)};
            const Cycles n = clock.next_edge(time);
            ASSERT_GE(clock.edge(n), time) << khz << " kHz, " << time.ps << " ps";
            if (n > 0) {
                ASSERT_LT(clock.edge(n - 1), time) << khz << " kHz, " << time.ps << " ps";
            }
        }
    }
}

TEST(Clock, NextEdgeOfAnEdgeIsTheEdge) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 100'000; ++i) {
        const Clock clock(Frequency{1 + testing::random_magnitude(random, 29)});
        const Cycles n = testing::random_magnitude(random, 33);
        ASSERT_EQ(clock.next_edge(clock.edge(n)), n);
    }
}

TEST(Quantities, AreAddedAndComparedByValue) {
    EXPECT_EQ(1_us + 500_ns, 1'500_ns);
    EXPECT_EQ(3 * 1_ns - 1_ps, 2'999_ps);
    EXPECT_EQ(1_KiB + 24_B, Bytes{1'048});
    EXPECT_LT(999_MHz, 1_GHz);
    EXPECT_GT(1_Gbps, 999_Mbps);
}

}   // namespace
}   // namespace oscar::units_test
