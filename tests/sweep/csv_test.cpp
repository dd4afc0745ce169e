#include "sim/sweep/sql.hpp"

#include <gtest/gtest.h>

namespace oscar::csv_test {
namespace {

using sql::to_csv;

std::string one_field(const sql::Value& value) {
    const std::string text = to_csv({{"a"}, {{value}}});
    return text.substr(3, text.size() - 5);   // without the heading and the last line's end
}

TEST(Csv, HasALineOfNamesAndALinePerRow) {
    EXPECT_EQ(to_csv({{"a", "b"}, {{std::int64_t{1}, 2.5}, {std::monostate{}, std::string("x")}}}),
              "a,b\r\n1,2.5\r\n,x\r\n");
    EXPECT_EQ(to_csv({{"a"}, {}}), "a\r\n");
}

TEST(Csv, QuotesCommasQuotesAndLineBreaksAndNothingElse) {
    EXPECT_EQ(one_field(std::string("plain text; 1.5%")), "plain text; 1.5%");
    EXPECT_EQ(one_field(std::string("[fp32, asc]")), "\"[fp32, asc]\"");
    EXPECT_EQ(one_field(std::string("say \"no\"")), "\"say \"\"no\"\"\"");
    EXPECT_EQ(one_field(std::string("two\nlines")), "\"two\nlines\"");
    EXPECT_EQ(one_field(std::string("two\rlines")), "\"two\rlines\"");
    EXPECT_EQ(to_csv({{"a,b"}, {}}), "\"a,b\"\r\n");
}

TEST(Csv, TakesFromASpreadsheetWhatItWouldCompute) {
    EXPECT_EQ(one_field(std::string("=1+1")), "'=1+1");
    EXPECT_EQ(one_field(std::string("@sum, 2")), "\"'@sum, 2\"");
    for (const char* text : {"+1", "-x", "\t=1"}) EXPECT_EQ(one_field(std::string(text)), "'" + std::string(text));
    EXPECT_EQ(one_field(std::string("\r=1")), "\"'\r=1\"");
    EXPECT_EQ(to_csv({{"=cmd|' /c calc'!A1.time"}, {}}), "'=cmd|' /c calc'!A1.time\r\n");
    for (const char* text : {"a=b", "1-2", "x@y", ""}) EXPECT_EQ(one_field(std::string(text)), text);
    EXPECT_EQ(one_field(std::int64_t{-1}), "-1");   // numbers stay numbers
    EXPECT_EQ(one_field(-0.5), "-0.5");
}

TEST(Csv, WritesRealNumbersSoThatTheyReadBackTheSame) {
    for (const double number : {0.1, 1.0 / 3, 5.69e-08, 1e300, 32.0}) EXPECT_EQ(std::stod(one_field(number)), number);
    EXPECT_EQ(one_field(0.1), "0.1");
    EXPECT_EQ(one_field(std::int64_t{-9'007'199'254'740'993}), "-9007199254740993");   // no double holds it
}

}   // namespace
}   // namespace oscar::csv_test
