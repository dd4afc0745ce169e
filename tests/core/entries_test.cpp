#include "models/core/entries.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace oscar::entries_test {
namespace {

constexpr auto mixed = Entries{1, 2.5, 3, 'x'};   // two of one type

std::string text_of(const auto& entries) {
    std::string text;
    for_each(entries, [&](const auto& value) { text += std::to_string(value) + " "; });
    return text;
}

TEST(Entries, AreConstantAndKeepTheTypeOfEach) {
    static_assert(std::is_same_v<std::remove_const_t<decltype(mixed)>, Entries<int, double, int, char>>);
    static_assert(mixed.size == 4 && Entries{}.size == 0);
    static_assert(get<0>(mixed) == 1 && get<1>(mixed) == 2.5 && get<2>(mixed) == 3 && get<3>(mixed) == 'x');
}

TEST(Entries, AreCalledInOrder) {
    EXPECT_EQ(text_of(mixed), "1 2.500000 3 120 ");
    EXPECT_EQ(text_of(Entries{}), "");
}

TEST(Entries, AreConcatenatedOneListAfterTheOther) {
    constexpr auto all = concatenate(Entries{1}, Entries{}, mixed, Entries{7L});
    static_assert(std::is_same_v<std::remove_const_t<decltype(all)>, Entries<int, int, double, int, char, long>>);
    EXPECT_EQ(text_of(all), "1 1 2.500000 3 120 7 ");
    EXPECT_EQ(text_of(concatenate(mixed)), text_of(mixed));
}

TEST(Entries, AreGivenToOneCallTogether) {
    static_assert(mixed.apply([](int a, double b, int c, char d) { return a + b + c + d; }) == 126.5);
}

}   // namespace
}   // namespace oscar::entries_test
