#include "models/core/narrow_vector.hpp"

#include <gtest/gtest.h>

#include "models/core/random.hpp"

namespace oscar::narrow_vector_test {
namespace {

TEST(NarrowVector, TakesAsManyBytesForEachAsTheLargestNeeds) {
    NarrowVector numbers(3, 7);
    EXPECT_EQ(numbers.width(), 1u);
    numbers.set(1, 255);
    EXPECT_EQ(numbers.width(), 1u);
    numbers.push_back(256);
    EXPECT_EQ(numbers.width(), 2u);
    numbers.set(0, 65'535);
    EXPECT_EQ(numbers.width(), 2u);
    numbers.resize(6, 65'536);
    EXPECT_EQ(numbers.width(), 4u);
    numbers.push_back(0xFFFFFFFF);
    const std::vector<std::uint32_t> expected{65'535, 255, 7, 256, 65'536, 65'536, 0xFFFFFFFF};
    ASSERT_EQ(numbers.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(numbers[i], expected[i]) << i;
}

TEST(NarrowVector, HoldsWhatAVectorHolds) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        NarrowVector numbers;
        std::vector<std::uint32_t> expected;
        for (std::uint64_t i = 0; i < 200; ++i) {
            const auto value = static_cast<std::uint32_t>(random_at(seed, 2 * i) >> (32 + seed % 32));
            const std::size_t at = random_at(seed, 2 * i + 1) % 20;
            if (at < expected.size()) numbers.set(at, expected[at] = value);
            else numbers.push_back(value), expected.push_back(value);
        }
        for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(numbers[i], expected[i]) << seed << ", " << i;
    }
}

TEST(NarrowVector, IsEmptyAtFirst) {
    NarrowVector numbers;
    EXPECT_TRUE(numbers.empty());
    numbers.resize(2);
    EXPECT_EQ(numbers.size(), 2u);
    EXPECT_EQ(numbers[1], 0u);
}

}   // namespace
}   // namespace oscar::narrow_vector_test
