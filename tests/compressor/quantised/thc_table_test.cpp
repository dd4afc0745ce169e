#include "models/compressor/quantised/thc_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace oscar::thc_table_test {
namespace {

using Values = std::vector<std::uint32_t>;

TEST(ThcTable, IsThatOfTheAuthorsRepository) {
    // BytePS_THC, byteps/torch/tables: receiver tables of granularity 30 and 16 levels for overflows 1/16 and 1/128.
    EXPECT_EQ(make_thc_table(4, 30, 1.0 / 16).values,
              (Values{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}));
    EXPECT_EQ(make_thc_table(4, 30, 1.0 / 128).values,
              (Values{0, 4, 6, 8, 10, 12, 13, 14, 16, 17, 18, 20, 22, 24, 26, 30}));
    // The same folder, T of overflow 1/16.
    EXPECT_NEAR(make_thc_table(4, 30, 1.0 / 16).threshold, 1.8627318674216515, 1e-12);
}

TEST(ThcTable, ThresholdsAreThoseOfTheNormalDistribution) {
    EXPECT_NEAR(normal_threshold(0.05), 1.959963984540054, 1e-12);
    EXPECT_NEAR(normal_threshold(0.3173105078629141), 1, 1e-12);
}

TEST(ThcTable, HasTheLeastErrorOfAllSymmetricOnes) {
    // All choices of 2 inner values of 1 .. 8 for the lower half of 8 levels in 0 .. 19, by hand.
    const ThcTable best = make_thc_table(3, 19, 1.0 / 64);
    for (std::uint32_t a = 1; a < 8; ++a)
        for (std::uint32_t b = a + 1; b < 9; ++b)
            for (std::uint32_t c = b + 1; c < 10; ++c) {
                const ThcTable other{best.threshold, 19, {0, a, b, c, 19 - c, 19 - b, 19 - a, 19}};
                EXPECT_LE(rounding_error(best), rounding_error(other) + 1e-15);
            }
}

TEST(ThcTable, ErrorIsTheIntegralOfTheSquaredRoundingError) {
    const ThcTable table = make_thc_table(2, 9, 0.1);
    double sum = 0;
    constexpr int points = 200'000;
    for (int i = 0; i < points; ++i) {
        const double place = (i + 0.5) / points * 9;
        std::size_t gap = 1;
        while (table.values[gap] < place) ++gap;
        const double x = table.threshold * (2 * place / 9 - 1), unit = 2 * table.threshold / 9;
        const double error = (place - table.values[gap - 1]) * (table.values[gap] - place) * unit * unit;
        sum += error * std::exp(-x * x / 2) / std::sqrt(2 * M_PI) * 2 * table.threshold / points;
    }
    EXPECT_NEAR(rounding_error(table), sum, 1e-9);
}

TEST(ThcTable, IsSymmetricForEveryNumberOfBits) {
    for (std::uint32_t bits = 1; bits <= 8; ++bits)
        for (const std::uint32_t spare : {0u, 1u, 6u}) {
            const std::uint32_t granularity = (1u << bits) - 1 + spare;
            const Values values = make_thc_table(bits, granularity, 1.0 / 32).values;
            ASSERT_EQ(values.size(), std::size_t{1} << bits);
            EXPECT_EQ(values.front(), 0u);
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_EQ(values[i] + values[values.size() - 1 - i], granularity);
                EXPECT_TRUE(i == 0 || values[i - 1] < values[i]);
            }
        }
}

TEST(ThcTable, RefusesWhatHasNoTable) {
    EXPECT_THROW(make_thc_table(4, 14, 0.1), std::invalid_argument);
    EXPECT_NO_THROW(make_thc_table(4, 15, 0.1));
    EXPECT_THROW(make_thc_table(0, 15, 0.1), std::invalid_argument);
    EXPECT_THROW(make_thc_table(9, 1000, 0.1), std::invalid_argument);
    EXPECT_THROW(make_thc_table(4, 30, 0), std::invalid_argument);
    EXPECT_THROW(make_thc_table(4, 30, 1), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::thc_table_test
