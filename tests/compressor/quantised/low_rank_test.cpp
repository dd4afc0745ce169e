#include "models/compressor/quantised/low_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/compressor/gradients.hpp"

namespace oscar::low_rank_test {
namespace {

using namespace lossy_test;

Columns columns_of(std::uint64_t length, std::vector<float> values) {
    Columns result(length, values.size() / length);
    result.values = std::move(values);
    return result;
}

double product(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

void expect_orthonormal(const Columns& columns) {
    for (std::uint64_t j = 0; j < columns.count; ++j)
        for (std::uint64_t k = 0; k < columns.count; ++k)
            EXPECT_NEAR(product(columns.column(j), columns.column(k)), j == k ? 1 : 0, 1e-5) << j << ' ' << k;
}

TEST(LowRank, MultipliesAsByHand) {
    // (1 2 3; 4 5 6) times (1 0 -1)^T = (-2, -2); its transpose times (1, 10)^T = (41, 52, 63).
    const Gradient matrix{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(times(matrix, 2, columns_of(3, {1, 0, -1})).values, (Gradient{-2, -2}));
    EXPECT_EQ(transposed_times(matrix, 2, columns_of(2, {1, 10})).values, (Gradient{41, 52, 63}));
    // Two columns: (1 3)(5 6 7) + (2 4)(1 0 1), rows of the left factor being (1 2) and (3 4).
    Gradient out(6, 99);
    outer_product(columns_of(2, {1, 3, 2, 4}), columns_of(3, {5, 6, 7, 1, 0, 1}), out);
    EXPECT_EQ(out, (Gradient{7, 6, 9, 19, 18, 25}));
}

TEST(LowRank, MakesColumnsOrthonormalThatSpanTheSame) {
    const Columns before = columns_of(40, normal(160, 3));
    Columns after = before;
    orthonormalise(after, 1);
    expect_orthonormal(after);
    for (std::uint64_t k = 0; k < 4; ++k) {
        double in_span = 0;
        for (std::uint64_t j = 0; j < 4; ++j) in_span += std::pow(product(before.column(k), after.column(j)), 2);
        EXPECT_NEAR(in_span, squared(before.column(k)), 1e-4 * squared(before.column(k)));
    }
}

TEST(LowRank, ReplacesColumnsThatAddNothing) {
    // Zero, a multiple of the first, and nearly the first.
    Gradient values = normal(20, 4);
    Gradient all = values;
    all.resize(40);
    for (const float v : values) all.push_back(-3 * v);
    for (const float v : values) all.push_back(v * (1 + 1e-7f));
    Columns columns = columns_of(20, all);
    orthonormalise(columns, 9);
    expect_orthonormal(columns);
    Columns again = columns_of(20, all);
    orthonormalise(again, 9);
    EXPECT_EQ(again.values, columns.values);
}

TEST(LowRank, MakesAFullBasisOfASmallSpace) {
    Columns columns(3, 3);
    orthonormalise(columns, 2);
    expect_orthonormal(columns);
}

}   // namespace
}   // namespace oscar::low_rank_test
