#include "sim/config/utf8.hpp"

#include <gtest/gtest.h>

namespace oscar::utf8_test {
namespace {

TEST(Utf8, KnowsCharactersOfOneToFourBytes) {
    EXPECT_EQ(utf8_length("a"), 1U);
    EXPECT_EQ(utf8_length(std::string_view("\0", 1)), 1U);
    EXPECT_EQ(utf8_length("\xc3\xa9!"), 2U);
    EXPECT_EQ(utf8_length("\xe2\x82\xac"), 3U);
    EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80"), 4U);
    EXPECT_EQ(utf8_length(""), 0U);
}

TEST(Utf8, RefusesWhatNoCharacterIs) {
    for (const char* text : {"\xff", "\x80", "\xc3", "\xc3(", "\xe2\x82", "\xf0\x9f\x98",   // stray or cut off
                             "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",                // '/' in too many bytes
                             "\xed\xa0\x80",                                                // half of a surrogate pair
                             "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})                       // beyond U+10FFFF
        EXPECT_EQ(utf8_length(text), 0U) << text;
}

TEST(Utf8, HoldsForATextIfItHoldsForEveryCharacter) {
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_utf8("caf\xc3\xa9 \xe2\x82\xac"));
    EXPECT_FALSE(is_utf8("caf\xe9"));   // Latin-1
}

}   // namespace
}   // namespace oscar::utf8_test
