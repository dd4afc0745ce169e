#include "models/compressor/base/integer_codes.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "models/compressor/base/wrapping.hpp"
#include "models/compressor/sketch/lhc.hpp"
#include "models/compressor/sketch/oscar_sw.hpp"
#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::integer_codes_test {
namespace {

using Codes = std::vector<std::int32_t>;

TEST(IntegerCodes, ReachTheLargestMagnitudeOfAnyRank) {
    const std::vector<float> a{1, -2}, b{-14, 3};
    const std::vector<std::span<const float>> both{a, b};
    EXPECT_DOUBLE_EQ(shared_code_step(both, 4), 2);   // codes -7 .. 7
    EXPECT_EQ(codes_of(b, 2, 4), (Codes{-7, 2}));     // 1.5 is away from zero
    EXPECT_EQ(codes_of(a, 2, 4), (Codes{1, -1}));
}

TEST(IntegerCodes, SaturateBeyondTheLargest) {
    EXPECT_EQ(codes_of(std::vector<float>{100, -100, 0.4f}, 1, 4), (Codes{7, -7, 0}));
}

TEST(IntegerCodes, ReachAPercentileOfTheMagnitudesThatAreNotZero) {
    const std::vector<float> a{0, 0, 0, 0, 0, 0, 1, -2, 30, 4}, b{0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f};
    const std::vector<std::span<const float>> both{a, b}, zeros{std::span(b).first(9)};
    EXPECT_DOUBLE_EQ(shared_code_step(both, 4, 50), 2.0 / 7);     // by nearest rank the second of 1, 2, 4, 30
    EXPECT_DOUBLE_EQ(shared_code_step(both, 4, 50.1), 4.0 / 7);   // the third
    EXPECT_DOUBLE_EQ(shared_code_step(both, 4, 75), 4.0 / 7);
    EXPECT_DOUBLE_EQ(shared_code_step(both, 4, 75.1), 30.0 / 7);
    EXPECT_EQ(shared_code_step(both, 4, 99.99), shared_code_step(both, 4));
    EXPECT_EQ(shared_code_step(zeros, 4, 90), 0);
    std::vector<float> thousand(1000);
    std::iota(thousand.begin(), thousand.end(), 1.0f);
    EXPECT_DOUBLE_EQ(shared_code_step(std::vector<std::span<const float>>{thousand}, 4, 99.9), 999.0 / 7);
}

TEST(IntegerCodes, OfAllRanksAddUpInTheNarrowestCellOfWholeBytes) {
    EXPECT_EQ(narrowest_cell(5, 8), 8u);    // 15 * 8 = 120
    EXPECT_EQ(narrowest_cell(5, 9), 16u);   // 135
    EXPECT_EQ(narrowest_cell(8, 1), 8u);
    EXPECT_EQ(narrowest_cell(13, 8), 16u);   // 4095 * 8 = 32760
    EXPECT_EQ(narrowest_cell(13, 9), 32u);
    EXPECT_EQ(narrowest_cell(24, 256), 32u);
}

TEST(IntegerCodes, OfSumsWrapAsTheirCellsDo) {
    EXPECT_EQ(wrapped(127, 8), 127);
    EXPECT_EQ(wrapped(128, 8), -128);
    EXPECT_EQ(wrapped(-129, 8), 127);
    EXPECT_EQ(wrapped(65'536 + 5, 16), 5);
    EXPECT_EQ(wrapped(-2'147'483'647, 32), -2'147'483'647);
    EXPECT_EQ(wrapped(3, 1), -1);
}

TEST(IntegerCodes, OfZerosAreZeros) {
    const std::vector<float> zeros(3);
    const std::vector<std::span<const float>> all{zeros};
    EXPECT_EQ(shared_code_step(all, 8), 0);
    EXPECT_EQ(codes_of(zeros, 0, 8), Codes(3));
}

TEST(IntegerCodes, OfAllRanksMustAddUpIn32Bits) {
    EXPECT_NO_THROW(check_code_width(24, 256));   // (2^23 - 1) * 256 < 2^31
    EXPECT_THROW(check_code_width(24, 257), std::invalid_argument);
    EXPECT_THROW(check_code_width(31, 3), std::invalid_argument);
    OscarSwParams wide;
    wide.bits = 24;
    EXPECT_THROW(OscarSw(wide, 257, 1), std::invalid_argument);
    LhcParams sketch;
    sketch.cells = SketchCells::int32;
    sketch.bits = 31;
    sketch.lanes = 16;
    EXPECT_THROW(testing::step_of(*make_compressor(sketch, 3, 1), testing::sparse_gradients(3, 1000, 0.1, 1)),
                 std::invalid_argument);
}

}   // namespace
}   // namespace oscar::integer_codes_test
