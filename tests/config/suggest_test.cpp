#include "sim/config/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace oscar::suggest_test {
namespace {

constexpr std::array<std::string_view, 4> names{"bandwidth", "buffer", "asc", "lock_step"};

TEST(EditDistance, CountsTheChangesOfSingleCharacters) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("bandwith", "bandwidth"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);   // two replaced, one inserted
    EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(EditDistance, CountsTheExchangeOfTwoNeighboursOnce) {
    EXPECT_EQ(edit_distance("acs", "asc"), 1U);
    EXPECT_EQ(edit_distance("rnaks", "ranks"), 1U);
    EXPECT_EQ(edit_distance("ab", "ba"), 1U);
    EXPECT_EQ(edit_distance("abcd", "badc"), 2U);
    EXPECT_EQ(edit_distance("ca", "abc"), 3U);    // ca, ac would be edited twice on the way to abc
    EXPECT_EQ(edit_distance("abc", "cba"), 2U);   // no neighbours: two are replaced
}

TEST(NearestName, ForgivesTwoLettersThatChangedPlaces) {
    constexpr std::array<std::string_view, 4> words{"ranks", "asc", "link", "mesh"};
    EXPECT_EQ(nearest_name("rnaks", words), "ranks");
    EXPECT_EQ(nearest_name("acs", words), "asc");
    EXPECT_EQ(nearest_name("lnik", words), "link");
    EXPECT_EQ(nearest_name("mehs", words), "mesh");
}

TEST(NearestName, ForgivesAThirdOfTheCharacters) {
    EXPECT_EQ(nearest_name("bandwith", names), "bandwidth");
    EXPECT_EQ(nearest_name("lockstep", names), "lock_step");
    EXPECT_EQ(nearest_name("bufer", names), "buffer");
    EXPECT_EQ(nearest_name("asx", names), "asc");
    EXPECT_EQ(nearest_name("axx", names), "");   // two of three
}

TEST(NearestName, ForgivesTheWrongCase) { EXPECT_EQ(nearest_name("ASC", names), "asc"); }

TEST(NearestName, ContinuesABeginningOfThreeCharacters) {
    EXPECT_EQ(nearest_name("band", names), "bandwidth");
    EXPECT_EQ(nearest_name("LOC", names), "lock_step");
    EXPECT_EQ(nearest_name("ba", names), "");
    EXPECT_EQ(nearest_name("bus", names), "");
}

TEST(NearestName, IsEmptyIfNothingIsNear) {
    EXPECT_EQ(nearest_name("colour", names), "");
    EXPECT_EQ(nearest_name("colour", {}), "");
    EXPECT_EQ(did_you_mean("colour", names), "");
    EXPECT_EQ(did_you_mean("bufer", names), " (did you mean buffer?)");
}

}   // namespace
}   // namespace oscar::suggest_test
