#include "sim/sweep/grid/range.hpp"

#include <gmock/gmock.h>

#include "sim/config/load.hpp"

namespace oscar::range_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> range(std::string_view yaml) { return read_range(parse_config(yaml, "s.yaml")); }

std::string range_error(std::string_view yaml) {
    try {
        range(yaml);
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Range, EndsWithToWhereAStepHitsItAndBeforeItOtherwise) {
    EXPECT_THAT(range("{from: 4, to: 16, step: 4}"), ElementsAre("4", "8", "12", "16"));
    EXPECT_THAT(range("{from: 4, to: 15, step: 4}"), ElementsAre("4", "8", "12"));
    EXPECT_THAT(range("{from: 4, to: 17, step: 4}"), ElementsAre("4", "8", "12", "16"));
    EXPECT_THAT(range("{from: 4, to: 4, step: 1}"), ElementsAre("4"));
}

TEST(Range, MultipliesByTheFactorUpToTo) {
    EXPECT_THAT(range("{from: 2, to: 16, factor: 2}"), ElementsAre("2", "4", "8", "16"));
    EXPECT_THAT(range("{from: 2, to: 15, factor: 2}"), ElementsAre("2", "4", "8"));
    EXPECT_THAT(range("{from: 3, to: 1000, factor: 10}"), ElementsAre("3", "30", "300"));
}

TEST(Range, CountsDecimalsExactly) {   // in binary floating point 99 + 3 * 0.3 is not 99.9
    EXPECT_THAT(range("{from: 99, to: 99.9, step: 0.3}"), ElementsAre("99", "99.3", "99.6", "99.9"));
    EXPECT_THAT(range("{from: 0.000001, to: 0.0001, factor: 10}"), ElementsAre("0.000001", "0.00001", "0.0001"));
    EXPECT_THAT(range("{from: -0.5, to: 0.5, step: 0.5}"), ElementsAre("-0.5", "0", "0.5"));
}

TEST(Range, KeepsTheUnit) {
    EXPECT_THAT(range("{from: 10Gbps, to: 30Gbps, step: 10Gbps}"), ElementsAre("10Gbps", "20Gbps", "30Gbps"));
    EXPECT_THAT(range("{from: 64KiB, to: 256KiB, factor: 2}"), ElementsAre("64KiB", "128KiB", "256KiB"));
}

TEST(Range, StopsBeforeAValueThatNoIntegerHolds) {
    // 7 * 24^8 = 770,527,199,232; 24 times that is 1.8e13, in millionths 1.8e19 > 2^63.
    const auto values = range("{from: 7, to: 999999999999, factor: 24}");
    EXPECT_EQ(values.size(), 9u);
    EXPECT_EQ(values.back(), "770527199232");
}

TEST(Range, OfMoreThanTenThousandValuesIsRefused) {
    EXPECT_EQ(range("{from: 1, to: 10000, step: 1}").size(), 10'000u);
    EXPECT_THAT(range_error("{from: 1, to: 10001, step: 1}"), HasSubstr("s.yaml:1:1: has more than 10000 values"));
}

TEST(Range, SaysWhatIsWrongAndWhere) {
    EXPECT_THAT(range_error("{from: 8, to: 4, step: 1}"), HasSubstr("from is beyond to"));
    EXPECT_THAT(range_error("{from: 1, to: 4}"), HasSubstr("needs either step or factor"));
    EXPECT_THAT(range_error("{from: 1, to: 4, step: 1, factor: 2}"), HasSubstr("needs either step or factor"));
    EXPECT_THAT(range_error("{from: 1, to: 4, step: 0}"), HasSubstr("s.yaml:1:24: step: is not greater than zero"));
    EXPECT_THAT(range_error("{from: 1, to: 4, factor: 1}"), HasSubstr("choose 2 to 1000000"));
    EXPECT_THAT(range_error("{from: 0, to: 4, factor: 2}"), HasSubstr("s.yaml:1:8: from: must be greater than zero"));
    EXPECT_THAT(range_error("{from: 1Gbps, to: 400, factor: 2}"), HasSubstr("s.yaml:1:19: to: '400' has another unit"));
    EXPECT_THAT(range_error("{from: 1, to: 4, stepp: 1}"), HasSubstr("did you mean step?"));
    EXPECT_THAT(range_error("{to: 4, step: 1}"), HasSubstr("from: is missing"));
    for (const char* number : {"x", "1e3", "1.", ".5", "1.1234567", "1234567890123", "--1", "1-2"})
        EXPECT_THAT(range_error("{from: " + std::string(number) + ", to: 4, step: 1}"), HasSubstr("is no number"))
            << number;
}

}   // namespace
}   // namespace oscar::range_test
