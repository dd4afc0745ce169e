#include <gmock/gmock.h>

#include <cmath>

#include "models/network/transport/damage.hpp"

namespace oscar {

using namespace literals;
namespace {

std::uint64_t damaged_of(std::uint64_t packets, const LossParams& loss, std::uint32_t link, Bytes wire) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < packets; ++i) count += is_damaged(loss, link, i, wire);
    return count;
}

TEST(Damage, OfAPacketIsThatOfAtLeastOneOfItsBits) {
    EXPECT_EQ(damage_of(1000_B, 0), 0);
    EXPECT_DOUBLE_EQ(damage_of(1_B, 0.5), 1 - 1.0 / 256);   // eight bits, each with one half
    for (const Bytes wire : {64_B, 1500_B, 4178_B})
        EXPECT_NEAR(damage_of(wire, 1e-6), -std::expm1(8.0 * static_cast<double>(wire.count) * std::log1p(-1e-6)),
                    1e-12);
}

TEST(Damage, HitsTheShareOfPacketsThatItsRateSays) {
    // 100,000 draws of p = 0.1: mean 10,000, standard deviation 95; the bound is 4 of them.
    EXPECT_NEAR(static_cast<double>(damaged_of(100'000, {0.1, 0, 1}, 0, 100_B)), 10'000, 380);
}

TEST(Damage, ByRateAndByBitErrorsAreIndependent) {
    // 1 - (1 - 0.1)(1 - (1 - 0.001)^800) = 1 - 0.9 * 0.4491 = 0.5958
    EXPECT_NEAR(static_cast<double>(damaged_of(100'000, {0.1, 0.001, 1}, 0, 100_B)), 59'580, 620);
}

TEST(Damage, IsNoneWithoutARate) { EXPECT_EQ(damaged_of(10'000, {}, 0, 4_KiB), 0u); }

TEST(Damage, IsTheSameForTheSameSeedAndAnotherForAnotherSeedOrLink) {
    const auto picture = [](std::uint64_t seed, std::uint32_t link) {
        std::string text;
        for (std::uint64_t i = 0; i < 200; ++i) text += is_damaged({0.5, 0, seed}, link, i, 100_B) ? 'x' : '.';
        return text;
    };
    EXPECT_EQ(picture(1, 0), picture(1, 0));
    EXPECT_NE(picture(1, 0), picture(2, 0));
    EXPECT_NE(picture(1, 0), picture(1, 1));
}

TEST(LinkDamage, NumbersTheTransmissionsOfEachLink) {
    const LossParams loss{0.3, 0, 5};
    LinkDamage damage(loss, 2);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_EQ(damage.strikes(EdgeId{0}, 100_B), is_damaged(loss, 0, i, 100_B)) << i;
        if (i % 2 == 1) continue;
        EXPECT_EQ(damage.strikes(EdgeId{1}, 100_B), is_damaged(loss, 1, i / 2, 100_B)) << i;
    }
}

TEST(LinkDamage, CountsAnewByAnotherSeedAfterARestart) {
    LinkDamage damage({0.3, 0, 5}, 1);
    for (int i = 0; i < 10; ++i) damage.strikes(EdgeId{0}, 100_B);
    damage.restart(6);
    for (std::uint64_t i = 0; i < 100; ++i)
        EXPECT_EQ(damage.strikes(EdgeId{0}, 100_B), is_damaged({0.3, 0, 6}, 0, i, 100_B)) << i;
}

}   // namespace
}   // namespace oscar
