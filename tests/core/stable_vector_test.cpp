#include "models/core/stable_vector.hpp"

#include <gtest/gtest.h>

namespace oscar::stable_vector_test {
namespace {

TEST(StableVector, KeepsEachElementInItsPlaceWhileOthersAreAdded) {
    StableVector<int> numbers;
    std::vector<const int*> places;
    for (int i = 0; i < 1000; ++i) {
        numbers.emplace_back();
        EXPECT_EQ(numbers[static_cast<std::size_t>(i)], 0);
        numbers[static_cast<std::size_t>(i)] = i;
        places.push_back(&numbers[static_cast<std::size_t>(i)]);
    }
    ASSERT_EQ(numbers.size(), 1000u);
    for (std::size_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(&numbers[i], places[i]);
        EXPECT_EQ(*places[i], static_cast<int>(i));
    }
}

TEST(StableVector, MayBeginWithElementsAndBeCopied) {
    StableVector<int> numbers(17);   // more than a block of 16
    ASSERT_EQ(numbers.size(), 17u);
    numbers[16] = 5;
    const StableVector<int> copy = numbers;
    numbers[16] = 6;
    EXPECT_EQ(copy[16], 5);
    EXPECT_EQ(copy[15], 0);
}

struct Fixed {
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    int value = 3;
};

TEST(StableVector, HoldsWhatCannotBeMoved) {
    StableVector<Fixed> fixed(40);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(fixed[i].value, 3);
}

}   // namespace
}   // namespace oscar::stable_vector_test
