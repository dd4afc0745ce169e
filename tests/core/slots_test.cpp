#include "models/core/slots.hpp"

#include <gtest/gtest.h>

namespace oscar::slots_test {
namespace {

TEST(Slots, KeepEachThingUnderANumberOfItsOwn) {
    Slots<int> slots;
    const std::uint32_t a = slots.add(10), b = slots.add(11);
    EXPECT_NE(a, b);
    EXPECT_EQ(slots[a], 10);
    EXPECT_EQ(slots[b], 11);
    slots[b] = 12;
    EXPECT_EQ(slots.take(b), 12);
    EXPECT_EQ(slots.take(a), 10);
}

TEST(Slots, UseNumbersAgainThatWereTakenOut) {
    Slots<int> slots;
    const std::uint32_t a = slots.add(1), b = slots.add(2);
    EXPECT_EQ(slots.take(a), 1);
    EXPECT_EQ(slots.add(3), a);
    EXPECT_EQ(slots[a], 3);
    EXPECT_EQ(slots[b], 2);
}

TEST(Slots, BeginAtNumber0AgainOnceCleared) {
    Slots<int> slots;
    slots.add(1);
    slots.take(slots.add(2));
    slots.clear();
    EXPECT_EQ(slots.add(3), 0u);
    EXPECT_EQ(slots.add(4), 1u);
}

}   // namespace
}   // namespace oscar::slots_test
