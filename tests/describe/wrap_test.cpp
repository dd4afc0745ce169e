#include "sim/describe/wrap.hpp"

#include <gmock/gmock.h>

namespace oscar::wrap_test {
namespace {

using ::testing::ElementsAre;

TEST(Wrapped, BreaksAtSpacesIntoLinesThatFit) {
    EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
    EXPECT_THAT(wrapped("one two three", 6), ElementsAre("one", "two", "three"));
    EXPECT_THAT(wrapped("one two three", 13), ElementsAre("one two three"));
    EXPECT_THAT(wrapped("", 5), ElementsAre(""));
}

TEST(Wrapped, KeepsALongWordWhole) {
    EXPECT_THAT(wrapped("a configuration b", 5), ElementsAre("a", "configuration", "b"));
}

TEST(Wrapped, CountsCharactersNotBytes) { EXPECT_THAT(wrapped("µµ µµ", 5), ElementsAre("µµ µµ")); }

TEST(Paragraph, EndsEachLineAndIndentsAllButTheFirstWithinTheWidth) {
    EXPECT_EQ(paragraph("one two three", 7), "one two\nthree\n");
    EXPECT_EQ(paragraph("one two three", 7, 2), "one\n  two\n  three\n");
    EXPECT_EQ(paragraph("one two", 1, 2), "one\n  two\n");
}

}   // namespace
}   // namespace oscar::wrap_test
