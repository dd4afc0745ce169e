#include "models/compressor/sketch/bloom_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace oscar::bloom_filter_test {
namespace {

TEST(BloomFilter, ContainsWhatWasInsertedHereAndInWhatItWasMergedWith) {
    BloomFilter a(1000, 3, 1), b(1000, 3, 1);
    for (std::uint64_t e = 0; e < 40; ++e) (e % 2 == 0 ? a : b).insert(e * 977);
    a.merge(b);
    for (std::uint64_t e = 0; e < 40; ++e) EXPECT_TRUE(a.contains(e * 977));
}

TEST(BloomFilter, HasTheFalseMembersOfItsFormula) {
    for (const double bits : {5.0, 10.0}) {
        constexpr std::uint64_t members = 10'000, others = 1'000'000;
        const std::uint32_t hashes = bloom_hashes(bits);
        BloomFilter filter(static_cast<std::uint64_t>(bits * members), hashes, 7);
        for (std::uint64_t e = 0; e < members; ++e) filter.insert(e);
        std::uint64_t found = 0;
        for (std::uint64_t e = members; e < members + others; ++e) found += filter.contains(e);
        const double expected = std::pow(1 - std::exp(-(hashes / bits)), hashes);
        EXPECT_NEAR(static_cast<double>(found) / others / expected, 1, 0.05);
    }
}

TEST(BloomFilter, TakesTheBitsTimesLogarithmOfTwoHashes) {
    EXPECT_EQ(bloom_hashes(10), 7u);   // 6.93
    EXPECT_EQ(bloom_hashes(16), 11u);
    EXPECT_EQ(bloom_hashes(0.1), 1u);
}

TEST(BloomFilter, CountsWholeBytesAndRefusesNone) {
    EXPECT_EQ(BloomFilter(9, 1, 1).bytes().size(), 2u);
    EXPECT_THROW(BloomFilter(0, 1, 1), std::invalid_argument);
    EXPECT_THROW(BloomFilter(8, 0, 1), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::bloom_filter_test
