// The adders of the reduce unit against the host's fp32 additions, and their pipeline. Seeds are printed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "Fp32Adder.h"
#include "IntegerAdder.h"
#include "ReduceUnit4.h"
#include "models/engine/verilated/ports.hpp"

namespace oscar::reduce_unit_test {
namespace {

std::uint32_t host_sum(std::uint32_t a, std::uint32_t b) {
    const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
    return std::isnan(sum) ? 0x7FC00000u : std::bit_cast<std::uint32_t>(sum);
}

TEST(AnIntegerAdder, AddsInTwosComplementAndHoldsItsSum) {
    std::mt19937_64 random(1);
    Clocked<IntegerAdder> adder;
    std::uint32_t sum = 0;
    for (int i = 0; i < 10'000; ++i) {
        adder->enable = i == 0 || random() % 4 != 0;
        adder->a = static_cast<std::uint32_t>(random()) >> random() % 32;
        adder->b = static_cast<std::uint32_t>(random());
        if (adder->enable) sum = adder->a + adder->b;
        adder.tick();
        ASSERT_EQ(adder->sum, sum);
    }
}

class AnAdder : public ::testing::Test {
protected:
    AnAdder() { adder->enable = 1; }
    void expect_sum(std::uint32_t a, std::uint32_t b) {
        adder->a = a;
        adder->b = b;
        adder.tick();
        ASSERT_EQ(adder->sum, host_sum(a, b)) << std::hex << a << " + " << b;
    }
    Clocked<Fp32Adder> adder;
};

TEST_F(AnAdder, AddsAllPairsOfSpecialNumbersAsTheHostDoes) {
    std::vector<std::uint32_t> special;
    for (const std::uint32_t magnitude :
         {0x0u,        0x1u,        0x2u,        0x007FFFFFu, 0x00800000u, 0x00800001u, 0x00FFFFFFu, 0x01000000u,
          0x3F800000u, 0x3F800001u, 0x3FFFFFFFu, 0x40000000u, 0x4B800000u, 0x4B7FFFFFu, 0x4C000000u, 0x7F7FFFFFu,
          0x7F000000u, 0x7F800000u, 0x7F800001u, 0x7FC00000u, 0x34000000u, 0x33800000u, 0x33800001u, 0x337FFFFFu})
        for (const std::uint32_t sign : {0u, 0x80000000u}) special.push_back(magnitude | sign);
    for (const std::uint32_t a : special)
        for (const std::uint32_t b : special) expect_sum(a, b);
}

TEST_F(AnAdder, AddsTwoMillionRandomPairsAsTheHostDoes) {
    std::mt19937 random(1);
    for (int i = 0; i < 2'000'000; ++i) {
        const auto a = static_cast<std::uint32_t>(random());
        auto b = static_cast<std::uint32_t>(random());
        if (i % 2 == 0)   // exponents that differ little, where mantissas meet
            b = (b & 0x807FFFFF) | ((((a >> 23 & 0xFF) + random() % 60 + 226) % 256) << 23);
        expect_sum(a, b);
    }
}

TEST(AReduceUnit, KeepsItsBeatsInOrderWhateverStalls) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Clocked<ReduceUnit4> unit;
        unit.reset();
        std::deque<std::vector<std::uint32_t>> expected;
        std::uint32_t sent = 0, received = 0;
        bool held = false;
        for (int cycle = 0; cycle < 400; ++cycle) {
            if (!held) {
                unit->in_valid = random() % 3 != 0;
                unit->in_count = 1 + random() % 4;
                unit->in_last = random() % 2;
                for (std::size_t i = 0; i < 4; ++i) {
                    unit->in_received[i] = static_cast<std::uint32_t>(random() % 0x7F000000);
                    unit->in_local[i] = static_cast<std::uint32_t>(random() % 0x7F000000);
                }
            }
            unit->out_ready = random() % 3 != 0;
            unit.settle();
            held = unit->in_valid && !unit->in_ready;
            if (unit->out_valid && unit->out_ready) {
                ASSERT_FALSE(expected.empty());
                std::vector<std::uint32_t> beat{unit->out_count, unit->out_last};
                for (std::size_t i = 0; i < 4; ++i) beat.push_back(unit->out_sums[i]);
                ASSERT_EQ(beat, expected.front());
                expected.pop_front();
                ++received;
            }
            if (unit->in_valid && unit->in_ready) {
                std::vector<std::uint32_t> beat{unit->in_count, unit->in_last};
                for (std::size_t i = 0; i < 4; ++i) beat.push_back(host_sum(unit->in_received[i], unit->in_local[i]));
                expected.push_back(beat);
                ++sent;
            }
            unit.tick();
        }
        EXPECT_GT(received, 50u);
        EXPECT_LE(sent - received, 1u);
    }
}

TEST(AReduceUnit, ShowsTheSumsOneCycleAfterItTookTheValues) {
    Clocked<ReduceUnit4> unit;
    unit.reset();
    unit->out_ready = 1;
    unit->in_valid = 1;
    unit->in_received[2] = std::bit_cast<std::uint32_t>(1.5f);
    unit->in_local[2] = std::bit_cast<std::uint32_t>(2.25f);
    unit.settle();
    EXPECT_FALSE(unit->out_valid);
    unit.tick();
    EXPECT_TRUE(unit->out_valid);
    EXPECT_EQ(unit->out_sums[2], std::bit_cast<std::uint32_t>(3.75f));
}

}   // namespace
}   // namespace oscar::reduce_unit_test
