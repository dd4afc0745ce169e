#include "models/compressor/sketch/count_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "models/compressor/base/wrapping.hpp"

namespace oscar::count_sketch_test {
namespace {

std::vector<float> normal(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> value;
    std::vector<float> values(n);
    for (float& v : values) v = value(random);
    return values;
}

double norm(const std::vector<float>& values) {
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// The eight tests of nikitaivkin/csh (csvec/test_csvec.py), each for one block and for two.
class CsvecSuite : public ::testing::TestWithParam<std::uint32_t> {
protected:
    CountSketch<float> sketch(std::uint64_t elements, std::uint32_t columns, std::uint32_t rows) const {
        return CountSketch<float>(SketchHash(elements, {rows, columns, GetParam()}, 42));
    }
};
INSTANTIATE_TEST_SUITE_P(Blocks, CsvecSuite, ::testing::Values(1, 2));

TEST_P(CsvecSuite, EqualParametersHaveEqualHashes) {
    CountSketch<float> a = sketch(100, 20, 5), b = sketch(100, 20, 5);
    a.add(normal(100, 1));
    b.add(normal(100, 1));
    EXPECT_EQ(a, b);
}

TEST_P(CsvecSuite, ATableBeginsWithZeros) {
    const CountSketch<float> a = sketch(100, 20, 5);
    EXPECT_TRUE(std::ranges::all_of(a.table(), [](float cell) { return cell == 0; }));
    EXPECT_EQ(a.table().size(), 100u);
}

TEST_P(CsvecSuite, AOneAmongZerosIsAOneOfEitherSignInEachRow) {
    CountSketch<float> a = sketch(100, 7, 5);
    std::vector<float> one(100);
    one[0] = 1;
    a.add(one);
    for (std::uint32_t row = 0; row < 5; ++row) {
        EXPECT_EQ(std::ranges::count(a.row(row), 0.0f), 6);
        EXPECT_EQ(std::fabs(std::accumulate(a.row(row).begin(), a.row(row).end(), 0.0f)), 1);
    }
}

TEST_P(CsvecSuite, ClearsItsTable) {
    CountSketch<float> a = sketch(100, 20, 5);
    a.add(normal(100, 2));
    EXPECT_NE(a, sketch(100, 20, 5));
    a.clear();
    EXPECT_EQ(a, sketch(100, 20, 5));
}

TEST_P(CsvecSuite, ALargeSketchRecoversAllByNumberAndByThreshold) {
    std::vector<float> vector{0.31f, 0.72f, 0.12f, 0.93f, 0.55f};
    CountSketch<float> a = sketch(5, 10'000, 20);
    a.add(vector);
    EXPECT_EQ(unsketch_largest(a, 5), vector);
    EXPECT_EQ(unsketch_above(a, 0.9 * 0.12 / norm(vector)), vector);
}

TEST_P(CsvecSuite, TheSumOfSketchesIsTheSketchOfTheSum) {
    CountSketch<float> sum = sketch(5, 10'000, 20);
    for (std::size_t i = 0; i < 5; ++i) {
        CountSketch<float> one = sketch(5, 10'000, 20);
        std::vector<float> vector(5);
        vector[i] = 1;
        one.add(vector);
        sum += one;
    }
    EXPECT_EQ(unsketch_largest(sum, 5), std::vector<float>(5, 1));
}

TEST_P(CsvecSuite, EstimatesTheNorm) {
    const std::vector<float> vector = normal(5, 3);
    CountSketch<float> a = sketch(5, 10'000, 20);
    a.add(vector);
    EXPECT_NEAR(a.l2_estimate(), norm(vector), 1e-4);
}

TEST_P(CsvecSuite, TheMedianOfSketchesIsTheSketchOfTheMedian) {
    std::vector<CountSketch<float>> sketches;
    for (int i = 0; i < 3; ++i) {
        std::vector<float> vector(5);
        std::iota(vector.begin(), vector.end(), static_cast<float>(i));
        sketches.push_back(sketch(5, 10'000, 20));
        sketches.back().add(vector);
    }
    EXPECT_EQ(unsketch_largest(median_of(sketches), 5), (std::vector<float>{1, 2, 3, 4, 5}));
}

TEST(CountSketch, KeepsExactlyTheLargestAndOfEqualOnesTheFirst) {
    CountSketch<float> sketch(SketchHash(6, {3, 10'000, 1}, 5));
    sketch.add(std::vector<float>{2, -3, 3, -2, 2, 1});
    EXPECT_EQ(unsketch_largest(sketch, 1), (std::vector<float>{0, -3, 0, 0, 0, 0}));
    EXPECT_EQ(unsketch_largest(sketch, 4), (std::vector<float>{2, -3, 3, -2, 0, 0}));
    EXPECT_EQ(unsketch_above(sketch, 2.5 / sketch.l2_estimate()), (std::vector<float>{0, -3, 3, 0, 0, 0}));
}

TEST(CountSketch, OfOneRowHasNoBiasAndTheVarianceOfItsSource) {
    constexpr std::size_t elements = 1024;
    constexpr std::uint32_t columns = 128, trials = 6000;
    const std::vector<float> vector = normal(elements, 4);
    double sum = 0, squares = 0;
    for (std::uint32_t seed = 0; seed < trials; ++seed) {
        CountSketch<float> sketch(SketchHash(elements, {1, columns, 1}, seed));
        sketch.add(vector);
        const std::vector<float> estimates = sketch.estimates();
        for (std::size_t i = 0; i < elements; ++i) {
            const double error = static_cast<double>(estimates[i] - vector[i]);
            sum += error;
            squares += error * error;
        }
    }
    const double count = static_cast<double>(trials) * elements, variance = norm(vector) * norm(vector) / columns;
    EXPECT_NEAR(sum / count, 0, 0.05);
    EXPECT_NEAR(squares / count / variance, 1, 0.03);   // (||x||^2 - x_i^2) / columns, about 8
}

TEST(CountSketch, OfEvenRowsTakesTheLowerMiddle) {
    CountSketch<float> sketch(SketchHash(1, {4, 1, 1}, 1));   // one element, one column: the estimates are the cells
    const std::vector<float> one{1};
    CountSketch<float> signs = sketch;
    signs.add(one);
    for (std::uint32_t row = 0; row < 4; ++row) sketch.row(row)[0] = static_cast<float>(10 - row) * signs.row(row)[0];
    EXPECT_EQ(sketch.estimates(), std::vector<float>{8});   // of 7 8 9 10
    EXPECT_NEAR(sketch.l2_estimate(), 8, 1e-6);
}

TEST(CountSketch, MediansOfAnyNumberOfRowsAreThoseOfSorting) {
    for (const std::uint32_t rows : {1u, 2u, 3u, 5u, 6u, 9u}) {
        CountSketch<float> sketch(SketchHash(500, {rows, 40, 1}, rows));
        sketch.add(normal(500, rows));
        const std::vector<float> estimates = sketch.estimates();
        for (std::uint64_t i = 0; i < 500; ++i) {
            std::vector<float> of_rows;
            for (std::uint32_t row = 0; row < rows; ++row) {
                std::uint32_t column = 0, negative = 0;
                sketch.hash().places(row, i, {&column, 1}, {&negative, 1});
                of_rows.push_back(negative ? -sketch.row(row)[column] : sketch.row(row)[column]);
            }
            std::ranges::sort(of_rows);
            ASSERT_EQ(estimates[i], of_rows[(rows - 1) / 2]) << rows << " rows, element " << i;
        }
    }
}

TEST(CountSketch, OfIntegersIsLinearWhateverOverflows) {
    const SketchHash hash(1000, {3, 50, 1}, 6);
    CountSketch<std::int32_t> a(hash), b(hash), both(hash);
    std::mt19937 random(8);
    std::vector<std::int32_t> x(1000), y(1000), sum(1000);
    for (std::size_t i = 0; i < 1000; ++i) {
        x[i] = static_cast<std::int32_t>(random());
        y[i] = static_cast<std::int32_t>(random());
        sum[i] = wrapping_sum(x[i], y[i]);
    }
    a.add(x);
    b.add(y);
    both.add(sum);
    EXPECT_EQ(a += b, both);
}

TEST(CountSketch, ClearsTheCellsOfTheElementsThatAreNotZeroAndNoOthers) {
    const SketchHash hash(50, {3, 100, 1}, 3);
    CountSketch<float> full(hash), touched(hash);
    std::vector<float> vector(50);
    vector[7] = 1;
    vector[30] = -2;
    touched.add(vector);
    full.add(std::vector<float>(50, 1));
    const CountSketch<float> before = full;
    full.clear_cells_of(vector);
    for (std::size_t c = 0; c < full.table().size(); ++c)
        EXPECT_EQ(full.table()[c], touched.table()[c] != 0 ? 0 : before.table()[c]);
}

TEST(CountSketch, RefusesWhatDoesNotFit) {
    CountSketch<float> sketch(SketchHash(10, {3, 5, 1}, 3));
    EXPECT_THROW(sketch.add(std::vector<float>(9)), std::invalid_argument);
    EXPECT_THROW(sketch += CountSketch<float>(SketchHash(10, {3, 5, 1}, 4)), std::invalid_argument);
    EXPECT_THROW(unsketch_largest(sketch, 0), std::invalid_argument);
    EXPECT_THROW(unsketch_largest(sketch, 11), std::invalid_argument);
    EXPECT_THROW(median_of({}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::count_sketch_test
