#include "models/compressor/base/sparsify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace oscar::sparsify_test {
namespace {

double zeros_after(std::vector<float> values, double zeros, Sparsify how) {
    const std::uint64_t kept = sparsify(values, sparsify_threshold(values, zeros, how));
    EXPECT_EQ(kept, values.size() - static_cast<std::uint64_t>(std::ranges::count(values, 0.0f)));
    return 1 - static_cast<double>(kept) / static_cast<double>(values.size());
}

TEST(Sparsify, ByQuantileLeavesTheWantedZerosAndKeepsTheLargest) {
    std::vector<float> values{5, -1, 4, 2, -3, 10, 9, -8, 7, 6};
    EXPECT_EQ(sparsify(values, sparsify_threshold(values, 0.4, Sparsify::exact_quantile)), 6u);
    EXPECT_EQ(values, (std::vector<float>{5, 0, 0, 0, 0, 10, 9, -8, 7, 6}));
}

TEST(Sparsify, ByQuantileLeavesMoreZerosWhereMagnitudesAreEqual) {
    EXPECT_EQ(zeros_after({1, -1, 1, 2, 2}, 0.4, Sparsify::exact_quantile), 0.6);
    EXPECT_EQ(zeros_after(std::vector<float>(10, 3), 0.1, Sparsify::exact_quantile), 1);
}

TEST(Sparsify, OfNoZerosChangesNothing) {
    for (const Sparsify how : {Sparsify::exact_quantile, Sparsify::table_as_published}) {
        std::vector<float> values{1e-30f, -2, 0, 1};
        const std::vector<float> before = values;
        EXPECT_EQ(sparsify(values, sparsify_threshold(values, 0, how)), 3u);
        EXPECT_EQ(values, before);
        EXPECT_EQ(sparsify_threshold({}, 0.5, how), 0);
    }
}

TEST(Sparsify, ByTableTakesTheStepBeforeTheFirstThatWouldDo) {
    // Zeros below 1e-3: 0.25; below 2e-3: 0.5; below 5e-3: 0.75. The first with 0.7 is 5e-3, the step before it 2e-3.
    const std::vector<float> values{0.0005f, 0.0015f, 0.0045f, 1};
    EXPECT_EQ(sparsify_threshold(values, 0.7, Sparsify::table_as_published), 2e-3f);
    EXPECT_EQ(sparsify_threshold(values, 0.5, Sparsify::table_as_published), 1e-3f);
    EXPECT_EQ(sparsify_threshold(values, 0.9, Sparsify::table_as_published), 5e-1f);   // none does: the last
}

struct Realised {
    double least, mean, most;
};

/// Over scales from 1e-6 to 1e-1, evenly in the logarithm.
template <class Draw>
Realised realised(Draw draw) {
    Realised result{1, 0, 0};
    constexpr int scales = 600;
    for (int s = 0; s < scales; ++s) {
        std::vector<float> values(5000);
        const double scale = std::pow(10, -6 + 5.0 * s / scales);
        for (float& v : values) v = static_cast<float>(scale * draw());
        const double zeros = zeros_after(values, 0.8, Sparsify::table_as_published);
        result.least = std::min(result.least, zeros);
        result.most = std::max(result.most, zeros);
        result.mean += zeros / scales;
    }
    return result;
}

void expect_near(const Realised& got, const Realised& expected) {
    EXPECT_NEAR(got.least, expected.least, 0.02);
    EXPECT_NEAR(got.mean, expected.mean, 0.02);
    EXPECT_NEAR(got.most, expected.most, 0.02);
}

TEST(Sparsify, ByTableFallsShortOfTheWantedZerosByWhatIsKnownOfEachDistribution) {
    // Of 0.8 wanted: measured before with another program.
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::exponential_distribution<double> exponential;
    expect_near(realised([&] { return normal(random); }), {0.39, 0.62, 0.80});
    expect_near(realised([&] { return exponential(random); }), {0.48, 0.66, 0.80});
    expect_near(realised([&] { return std::exp(2 * normal(random)); }), {0.65, 0.74, 0.80});
    expect_near(realised([&] { return std::exp(3 * normal(random)); }), {0.70, 0.76, 0.80});
}

}   // namespace
}   // namespace oscar::sparsify_test
