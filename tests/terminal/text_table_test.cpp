#include "sim/terminal/text_table.hpp"

#include <gmock/gmock.h>

namespace oscar::text_table_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<Row> rows{
    {"method", "time us", "sums"}, {"fp32", "96.817", "equal"}, {"asc-one-table", "8.034", "-"}};

TEST(TextTable, AlignsNamesToTheLeftAndNumbersToTheRightBelowTheirHeadings) {
    EXPECT_EQ(aligned(rows, {}),
              "method         time us   sums\n"
              "fp32            96.817  equal\n"
              "asc-one-table    8.034      -\n");
}

TEST(TextTable, TakesAsManyColumnsForNamesAsItIsTold) {
    EXPECT_EQ(aligned({{"a", "b", "c"}, {"xx", "yy", "zz"}, {"x", "y", "z"}}, {}, 2),
              "a   b    c\nxx  yy  zz\nx   y    z\n");
    EXPECT_EQ(aligned({{"a", "b"}, {"xx", "yy"}, {"x", "y"}}, {}, 0), " a   b\nxx  yy\n x   y\n");
}

TEST(TextTable, BreaksLongNamesWhereTheWidthDoesNotSuffice) {
    const std::string text =
        aligned({{"method", "time us"}, {"atalanta-local-balanced", "1.000"}, {"asc", "20.000"}}, {.width = 25});
    EXPECT_THAT(text, AnyOf("method            time us\n"
                            "atalanta-local-b    1.000\n"
                            "alanced\n"
                            "asc                20.000\n",
                            "method          time us\n"   // libsmartcols 2.41
                            "atalanta-local    1.000\n"
                            "-balanced\n"
                            "asc              20.000\n"));
}

TEST(TextTable, BecomesWiderRatherThanCutACell) {
    const std::string text =
        aligned({{"method", "time us"}, {"atalanta-local-balanced", "1234567890.000"}}, {.width = 5});
    EXPECT_THAT(text, AnyOf("method               time us\n"
                            "atalanta-loc  1234567890.000\n"
                            "al-balanced\n",
                            "method              time us\n"   // libsmartcols 2.41
                            "atalanta-lo  1234567890.000\n"
                            "cal-balance\n"
                            "d\n"));
}

/// A configuration may have any key.
TEST(TextTable, CutsANameThatNobodyReadsAtAWholeCharacter) {
    const std::string longest(longest_name, 'x');
    EXPECT_EQ(aligned({{"", "A"}, {longest, "1"}}, {any_width}).find("bytes"), std::string::npos);
    const std::string text = aligned({{"", "A"}, {"x" + longest, "1"}}, {any_width});
    EXPECT_NE(text.find("\n" + longest + "... (4097 bytes)  1\n"), std::string::npos);
    std::string umlauts = "x";   // each of two bytes, the last of which the limit would halve
    while (umlauts.size() < longest_name) umlauts += "\u00e4";
    EXPECT_NE(aligned({{"", "A"}, {umlauts, "1"}}, {any_width}).find("\u00e4... (4097 bytes)  1\n"), std::string::npos);
}

TEST(TextTable, CountsCharactersAndEscapesWhatATerminalWouldObey) {
    EXPECT_EQ(aligned({{"m", "n"}, {"µµ", "1"}, {"a\033[3m", "2"}, {"b\n", "3"}}, {}),
              "m         n\n"
              "µµ        1\n"
              "a\\x1b[3m  2\n"
              "b\\x0a     3\n");
}

TEST(TextTable, IsColouredOnlyWhereTheScreenIs) {
    const std::vector<Row> loud{{"method", "sums"}, {"asc", Cell("DIFFER", TextStyle::bad)}};
    EXPECT_THAT(aligned(loud, {}), Not(HasSubstr("\033")));
    EXPECT_THAT(aligned(loud, {.colours = true}), HasSubstr("\033[31mDIFFER\033[0m"));
    EXPECT_EQ(styled("NOTE", TextStyle::strong, {.colours = true}), "\033[1mNOTE\033[0m");
    EXPECT_EQ(styled("NOTE", TextStyle::strong, {}), "NOTE");
}

TEST(Figures, HaveThreeDigitsOrOne) {
    EXPECT_EQ(microseconds(1'500'000), "1.500");
    EXPECT_EQ(microseconds(-200), "-0.000");
    EXPECT_EQ(percent(0.125), "12.5");
}

}   // namespace
}   // namespace oscar::text_table_test
