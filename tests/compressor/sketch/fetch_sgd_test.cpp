#include "models/compressor/sketch/fetch_sgd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::fetch_sgd_test {
namespace {

using testing::norm;
using testing::Ranks;
using testing::step_of;

/// Least squares on rows (0 .. d-1), (d .. 2d-1), … of which row i has target i; 4 rows dealt to the workers in order.
/// The known answers are those of kiddyboots216/CommEfficient (unit_test.py), at learning rate 0.005.
class LeastSquares {
public:
    LeastSquares(std::size_t dimension, std::uint32_t workers) : weights(dimension), workers_(workers) {}

    Ranks gradients() const {
        Ranks result(workers_, std::vector<float>(weights.size()));
        for (std::size_t row = 0; row < 4; ++row) {
            const auto feature = [&](std::size_t j) { return static_cast<float>(row * weights.size() + j); };
            float error = -static_cast<float>(row);
            for (std::size_t j = 0; j < weights.size(); ++j) error += weights[j] * feature(j);
            for (std::size_t j = 0; j < weights.size(); ++j) result[row * workers_ / 4][j] += 2 * error * feature(j);
        }
        return result;
    }

    void step(HeavyHitters& server, const SketchHash& hash) {
        CountSketch<float> sum(hash);
        for (const auto& gradient : gradients()) sum.add(gradient);
        const std::vector<float> change = server.step(sum, 0.005f);
        std::ranges::transform(weights, change, weights.begin(), std::minus{});
    }

    std::vector<float> weights;

private:
    std::uint32_t workers_;
};

RecoveryParams recover(std::uint64_t k) {
    RecoveryParams params;
    params.k = k;
    return params;
}

TEST(FetchSgd, SolvesLeastSquaresOfOneParameterAsKnown) {
    for (const std::uint32_t workers : {1u, 2u}) {
        const SketchHash hash(1, {1, 1, 1}, 42);
        HeavyHitters server(hash, recover(1));
        LeastSquares problem(1, workers);
        problem.step(server, hash);
        EXPECT_NEAR(problem.weights[0], 0.14, 1e-6);
        problem.step(server, hash);
        // 28 * 0.86 = 24.08. The 0.3808 of the listing adds twice this gradient, which is its own.
        EXPECT_NEAR(problem.weights[0], 0.14 + 0.005 * 28 * 0.86, 1e-6);
    }
}

TEST(FetchSgd, OfALargeSketchSolvesTwoParametersAsKnown) {
    for (const std::uint32_t workers : {1u, 2u}) {
        const SketchHash hash(2, {9, 1000, 1}, 42);
        HeavyHitters server(hash, recover(2));
        LeastSquares problem(2, workers);
        problem.step(server, hash);
        EXPECT_NEAR(problem.weights[0], 0.28, 1e-5);
        EXPECT_NEAR(problem.weights[1], 0.34, 1e-5);
        problem.step(server, hash);
        EXPECT_NEAR(problem.weights[0], 0.172, 1e-5);
        EXPECT_NEAR(problem.weights[1], 0.204, 1e-5);
    }
}

TEST(FetchSgd, OfOneCellMovesBothParametersByTheSumOrTheDifference) {
    int sums = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const SketchHash hash(2, {1, 1, 1}, seed);
        HeavyHitters server(hash, recover(2));
        LeastSquares problem(2, 1);
        problem.step(server, hash);   // gradient (-56, -68): 124 or 12 in the cell, times 0.005
        const float w = problem.weights[0];
        const bool sum = std::fabs(w - 0.62f) < 1e-5f;
        EXPECT_TRUE(sum || std::fabs(std::fabs(w) - 0.06f) < 1e-5f) << w;
        EXPECT_NEAR(problem.weights[1], sum ? w : -w, 1e-5);
        sums += sum;
    }
    EXPECT_GT(sums, 5);
    EXPECT_LT(sums, 35);
}

TEST(FetchSgd, OfMomentumWithoutErrorRecoversTheHeaviestAloneAsKnown) {
    const SketchHash hash(2, {9, 1000, 1}, 42);
    RecoveryParams params = recover(1);
    params.momentum = 0.9;
    params.accumulate = false;
    HeavyHitters server(hash, params);
    LeastSquares problem(2, 2);
    problem.step(server, hash);
    EXPECT_NEAR(problem.weights[0], 0, 1e-6);
    EXPECT_NEAR(problem.weights[1], 0.34, 1e-5);
    problem.step(server, hash);
    // The momentum of the first is 0.9 * -56 + (0.08 - 9.84) = -60.16, that of the second, which was removed, 0.8 -
    // 11.68. The listing has -0.3008, which is uphill.
    EXPECT_NEAR(problem.weights[0], 0.3008, 1e-5);
    EXPECT_NEAR(problem.weights[1], 0.34, 1e-5);
}

/// Largest distance from the minimum over 200 steps of gradient descent on |w - target|^2 / 2 with a target of noise.
double largest_distance(Removal removal) {
    constexpr std::size_t elements = 2000;
    const SketchHash hash(elements, {3, 60, 1}, 3);
    RecoveryParams params = recover(60);
    params.removal = removal;
    HeavyHitters server(hash, params);
    std::vector<float> distance(elements);
    for (std::size_t i = 0; i < elements; ++i) distance[i] = static_cast<float>(2 * uniform_at(8, i) - 1);
    double largest = 0;
    for (int step = 0; step < 200; ++step) {
        CountSketch<float> sketch(hash);
        sketch.add(distance);
        const std::vector<float> change = server.step(sketch, 0.05f);
        std::ranges::transform(distance, change, distance.begin(), std::minus{});
        largest = std::max(largest, norm(distance));
    }
    return largest;
}

TEST(FetchSgd, StaysBoundedWhereCellsAreZeroedAndDivergesWhereSketchesAreSubtracted) {
    const double zeroed = largest_distance(Removal::zero), subtracted = largest_distance(Removal::subtract);
    EXPECT_LT(zeroed, 1e4);
    EXPECT_GT(subtracted, 1e6 * zeroed);
}

TEST(FetchSgd, AppliesARateInTheErrorToWhatEntersAtThatRate) {
    const SketchHash hash(2, {9, 1000, 1}, 42);
    RecoveryParams params = recover(1);
    const std::vector<float> gradient{4, 3};
    const auto second_change = [&](RateIn rate) {
        params.rate = rate;
        HeavyHitters server(hash, params);
        CountSketch<float> sketch(hash);
        sketch.add(gradient);
        EXPECT_EQ(server.step(sketch, 0.5f), (std::vector<float>{2, 0}));
        sketch.clear();
        return server.step(sketch, 0.25f)[1];   // nothing new: 3 is left in the error
    };
    EXPECT_EQ(second_change(RateIn::recovered), 0.25f * 3);
    EXPECT_EQ(second_change(RateIn::error), 0.5f * 3);
}

TEST(FetchSgd, RefusesARateThatIsNotAboveZero) {
    const SketchHash hash(2, {1, 10, 1}, 1);
    HeavyHitters server(hash, recover(1));
    EXPECT_THROW(server.step(CountSketch<float>(hash), 0), std::invalid_argument);
}

TEST(CountSketchCompressor, RecoversTheMeanOfAFewLargeElements) {
    Ranks gradients(4, std::vector<float>(3000));
    for (std::size_t rank = 0; rank < 4; ++rank)
        for (std::size_t i = 0; i < 5; ++i) gradients[rank][500 * i + 3] = static_cast<float>(rank + 10 * i + 1);
    CountSketchParams params;
    params.ratio = 1;
    params.kept = 0.005;   // of 1000 columns
    const auto compressor = make_compressor(params, 4, 10);
    const CompressionResult step = step_of(*compressor, gradients);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(step.mean[500 * i + 3], 10.0 * static_cast<double>(i) + 2.5, 1e-5);
    EXPECT_EQ(std::ranges::count(step.mean, 0.0f), 3000 - 5);
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].padded, 4u * 3 * 1000);
    EXPECT_EQ(step.exchanges[0].floats, 3u * 1000);
    EXPECT_FALSE(compressor->takes_error_feedback());
}

TEST(CountSketchCompressor, DeliversLaterWhatItDidNotRecoverUnlessItIsReset) {
    Ranks gradients(1, std::vector<float>(3000)), zeros = gradients;
    gradients[0][10] = 4;
    gradients[0][20] = 3;
    CountSketchParams params;
    params.kept = 0.01;   // one element
    const auto compressor = make_compressor(params, 1, 9);
    EXPECT_EQ(step_of(*compressor, gradients).mean[10], 4);
    const CompressionResult later = step_of(*compressor, zeros);
    EXPECT_EQ(later.mean[20], 3);
    EXPECT_EQ(later.mean[10], 0);
    step_of(*compressor, gradients);
    compressor->reset();
    EXPECT_EQ(step_of(*compressor, zeros).mean, zeros[0]);
}

TEST(CountSketchCompressor, ClipsEachRankByTheNormThatItsSketchEstimates) {
    Ranks gradients(2, std::vector<float>(3000));
    gradients[0][10] = 100;
    gradients[1][10] = 1;
    CountSketchParams params;
    params.kept = 0.01;
    params.clip = 2;
    EXPECT_NEAR(step_of(*make_compressor(params, 2, 9), gradients).mean[10], (2 + 1) / 2.0, 1e-6);
}

TEST(CountSketchCompressor, RefusesASketchSmallerThanARowAndAnEmptyRecovery) {
    CountSketchParams params;
    params.ratio = 2000;
    EXPECT_THROW(step_of(*make_compressor(params, 1, 9), {std::vector<float>(3000, 1)}), std::invalid_argument);
    params.ratio = 10;
    params.kept = 0.001;
    EXPECT_THROW(step_of(*make_compressor(params, 1, 9), {std::vector<float>(3000, 1)}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::fetch_sgd_test
