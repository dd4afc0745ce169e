#include "models/core/random.hpp"

#include <gtest/gtest.h>

namespace oscar::random_at_test {
namespace {

TEST(RandomAt, IsSplitMix64) {
    // The first numbers of the published generator from seed 1234567.
    EXPECT_EQ(random_at(1234567, 0), 6457827717110365317u);
    EXPECT_EQ(random_at(1234567, 1), 3203168211198807973u);
    EXPECT_EQ(random_at(1234567, 4), 16408922859458223821u);
}

TEST(RandomAt, IsUniformBelowOne) {
    double sum = 0;
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        const double u = uniform_at(7, i);
        ASSERT_TRUE(u >= 0 && u < 1) << i;
        sum += u;
    }
    EXPECT_NEAR(sum / 100'000, 0.5, 4 * 0.2887 / 316.2);   // four standard deviations of a mean of 100,000
}

}   // namespace
}   // namespace oscar::random_at_test
