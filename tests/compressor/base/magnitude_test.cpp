// Selection by magnitude against a sort.
#include "models/compressor/base/magnitude.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/compressor/distributions.hpp"

namespace oscar::magnitude_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The k largest by a stable sort: of equal magnitudes the first.
std::vector<std::uint32_t> sorted_largest(const std::vector<float>& values, std::size_t k) {
    std::vector<std::uint32_t> positions(values.size());
    std::iota(positions.begin(), positions.end(), 0u);
    std::ranges::stable_sort(positions, std::greater{}, [&](std::uint32_t i) { return std::fabs(values[i]); });
    positions.resize(k);
    std::ranges::sort(positions);
    return positions;
}

TEST(LargestPositions, AreThoseOfASortForEachKAndDistribution) {
    for (const auto at : {testing::normal_at, testing::student_at, testing::log_normal_at})
        for (const std::size_t n : {1u, 2u, 5u, 64u, 1000u, 4099u}) {
            const std::vector<float> values = testing::drawn(n, n, at);
            for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 100, n / 10, n / 2, n - 1, n})
                EXPECT_EQ(largest_positions(values, k), sorted_largest(values, k)) << n << ' ' << k;
        }
}

TEST(LargestPositions, OfEqualMagnitudesAreTheFirst) {
    // 3 is largest, then the twos at 0, 2, 3, 5, of which the first two remain for k = 3.
    EXPECT_THAT(largest_positions(std::vector<float>{2, 0, -2, 2, 3, -2}, 3), ElementsAre(0, 2, 4));
    const std::vector<float> equal(1000, -0.25f);
    EXPECT_EQ(largest_positions(equal, 10), sorted_largest(equal, 10));
}

TEST(LargestPositions, OfFewValuesThatRepeatAreThoseOfASort) {
    const std::vector<float> values = testing::drawn(
        2000, 3, [](std::uint64_t key, std::uint64_t i) { return std::round(2 * testing::normal_at(key, i)); });
    for (const std::size_t k : {1u, 7u, 100u, 500u, 1999u})
        EXPECT_EQ(largest_positions(values, k), sorted_largest(values, k));
}

TEST(LargestPositions, TellMagnitudesApartThatDifferInTheirLastBitOrAreSubnormal) {
    const float one = 1, next = std::nextafter(1.0f, 2.0f), tiny = 0x1p-149f;
    EXPECT_THAT(largest_positions(std::vector<float>{one, -next, one}, 1), ElementsAre(1));
    EXPECT_THAT(largest_positions(std::vector<float>{0, tiny, -0.0f, -2 * tiny}, 2), ElementsAre(1, 3));
    EXPECT_THAT(largest_positions(std::vector<float>{3.4e38f, -3.3e38f}, 1), ElementsAre(0));
}

TEST(LargestPositions, AreNoneForNone) { EXPECT_THAT(largest_positions(std::vector<float>{1, 2}, 0), IsEmpty()); }

TEST(KthMagnitude, CountsTheTiesThatBelongToTheLargest) {
    const std::vector<float> values{5, 2, -2, 2, 1};
    const KthMagnitude third = kth_magnitude(values, 3);   // 5, 2, 2: two of the three twos
    EXPECT_EQ(third.bits, magnitude_bits(2));
    EXPECT_EQ(third.ties, 2u);
}

TEST(Thresholds, TakeTheirOwnMagnitudeOrLeaveIt) {
    const std::vector<float> values{-1, 0.5f, 2, -0.0f};
    EXPECT_THAT(positions_at_least(values, 1), ElementsAre(0, 2));
    EXPECT_THAT(positions_above(values, 1), ElementsAre(2));
    EXPECT_EQ(count_above(values, 0), 3u);
    EXPECT_THAT(positions_at_least(values, 0), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(positions_above(values, 2), IsEmpty());
}

TEST(MagnitudeStatistics, AreExactForEqualMagnitudes) {
    std::vector<float> values(12345, 0.1f);
    values[7] = -0.1f;
    const MagnitudeStatistics of = magnitude_statistics(values);
    EXPECT_EQ(of.mean, static_cast<double>(0.1f));
    EXPECT_EQ(of.max, 0.1f);
    EXPECT_EQ(magnitude_statistics({}).mean, 0);
}

TEST(SquaredNorm, AddsTheSquaresOfAllElements) {
    std::vector<float> values(11, 2);   // one round of eight and three that are left
    values[10] = -3;
    EXPECT_EQ(squared_norm(values), 10 * 4 + 9);
}

}   // namespace
}   // namespace oscar::magnitude_test
