#include "models/compressor/quantised/power_sgd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/compressor/base/input.hpp"
#include "models/compressor/quantised/low_rank.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::power_sgd_test {
namespace {

using namespace lossy_test;

PowerSgdParams of_rank(std::uint32_t rank, PowerIteration iteration = PowerIteration::both_halves) {
    PowerSgdParams params;
    params.rank = rank;
    params.iteration = iteration;
    params.min_ratio = 0;
    return params;
}

/// A product of random factors.
Gradient matrix_of_rank(std::uint64_t rows, std::uint64_t width, std::uint64_t rank, std::uint64_t key) {
    Gradient matrix(rows * width);
    outer_product(random_columns(rows, rank, key), random_columns(width, rank, key + 1), matrix);
    return matrix;
}

CompressionResult first_step(const PowerSgdParams& params, const std::vector<Gradient>& gradients, std::uint64_t rows) {
    return make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 3)
        ->step(views(gradients), one_tensor(gradients[0].size(), rows));
}

TEST(PowerSgd, RecoversAMatrixOfItsRankInOneStep) {
    for (const std::uint32_t rank : {2u, 3u}) {   // of 3, one column of the left factor is spare
        const Gradient matrix = matrix_of_rank(20, 30, 2, 5);
        const CompressionResult step = first_step(of_rank(rank), {matrix}, 20);
        EXPECT_LT(squared_distance(step.mean, matrix), 1e-9 * squared(matrix));
    }
}

TEST(PowerSgd, ProjectsSoThatErrorAndMeanAreOrthogonal) {
    for (const PowerIteration iteration : {PowerIteration::both_halves, PowerIteration::alternating}) {
        const Gradient matrix = normal(600, 7);
        const CompressionResult step = first_step(of_rank(4, iteration), {matrix}, 20);
        const double error = squared_distance(step.mean, matrix);
        EXPECT_NEAR(error, squared(matrix) - squared(step.mean), 1e-4 * squared(matrix));
        EXPECT_GT(squared(step.mean), 0.1 * squared(matrix));
    }
}

TEST(PowerSgd, GivesForManyRanksWhatItGivesForTheirMean) {
    const auto gradients = normal_of_ranks(4, 600, 1);
    for (const PowerIteration iteration : {PowerIteration::both_halves, PowerIteration::alternating}) {
        const auto of_all = make_compressor(of_rank(3, iteration), 4, 3);
        const auto of_one = make_compressor(of_rank(3, iteration), 1, 3);
        const std::vector<Gradient> mean{mean_of(views(gradients))};
        for (int i = 0; i < 3; ++i) {
            const Gradient a = of_all->step(views(gradients), one_tensor(600, 20)).mean;
            const Gradient b = of_one->step(views(mean), one_tensor(600, 20)).mean;
            EXPECT_LT(squared_distance(a, b), 1e-8 * squared(b));
        }
    }
}

TEST(PowerSgd, WarmStartsConvergeToTheBestApproximationAndColdOnesDoNot) {
    // diag(3, 2.5, 1) by rank 1: the best leaves 2.5^2 + 1 = 7.25. Fifty steps shrink the rest by (2.5/3)^100.
    const std::vector<Gradient> gradients{{3, 0, 0, 0, 2.5f, 0, 0, 0, 1}};
    for (const PowerStart start : {PowerStart::warm, PowerStart::cold})
        for (const PowerIteration iteration : {PowerIteration::both_halves, PowerIteration::alternating}) {
            PowerSgdParams params = of_rank(1, iteration);
            params.start = start;
            const auto power = make_compressor(params, 1, 2);
            double error = 0;
            for (int i = 0; i < 100; ++i)
                error = squared_distance(power->step(views(gradients), one_tensor(9, 3)).mean, gradients[0]);
            if (start == PowerStart::warm) {
                EXPECT_NEAR(error, 7.25, 1e-4);
            } else {
                EXPECT_GT(error, 7.26);
            }
        }
}

TEST(PowerSgd, FindsItsWayBackAfterZeroGradients) {
    const auto power = make_compressor(of_rank(2), 1, 3);
    const Gradient matrix = matrix_of_rank(20, 30, 2, 5);
    const std::vector<Gradient> zeros{Gradient(600)}, gradients{matrix};
    for (int i = 0; i < 2; ++i) EXPECT_EQ(power->step(views(zeros), one_tensor(600, 20)).mean, zeros[0]);
    power->step(views(gradients), one_tensor(600, 20));
    EXPECT_LT(squared_distance(power->step(views(gradients), one_tensor(600, 20)).mean, matrix),
              1e-9 * squared(matrix));
}

TEST(PowerSgd, IsDenseBeforeItsFirstCompressedStep) {
    PowerSgdParams params = of_rank(2, PowerIteration::alternating);
    params.dense_steps = 2;
    const auto power = make_compressor(params, 2, 1);
    const auto gradients = normal_of_ranks(2, 600, 1);
    for (int i = 0; i < 2; ++i) {
        const CompressionResult step = power->step(views(gradients), one_tensor(600, 20));
        EXPECT_EQ(step.mean, mean_of(views(gradients)));
        EXPECT_EQ(step.sent, gradients);
        EXPECT_EQ(step.exchanges[0].padded, 2400u);
    }
    EXPECT_NE(power->step(views(gradients), one_tensor(600, 20)).mean, mean_of(views(gradients)));
}

TEST(PowerSgd, SaysOfEveryRankTheSharedApproximation) {
    const auto gradients = normal_of_ranks(2, 600, 1);
    const CompressionResult step = first_step(of_rank(2), gradients, 20);
    EXPECT_EQ(step.sent[0], step.mean);
    EXPECT_EQ(step.sent[1], step.mean);
}

TEST(PowerSgd, LeavesVectorsAndMatricesThatWouldNotShrinkDense) {
    // A 20 x 30 matrix of rank 4 takes 4 * 50 floats, a third; a 4 x 5 one of rank 4 more floats than it has.
    const std::vector<TensorShape> tensors{{0, 600, 20}, {600, 620, 4}, {620, 650, 0}};
    const auto gradients = normal_of_ranks(2, 650, 1);
    const CompressionResult step = make_compressor(PowerSgdParams{}, 2, 1)->step(views(gradients), tensors);
    const Gradient mean = mean_of(views(gradients));
    EXPECT_TRUE(std::equal(mean.begin() + 600, mean.end(), step.mean.begin() + 600));
    EXPECT_FALSE(std::equal(mean.begin(), mean.begin() + 600, step.mean.begin()));
    EXPECT_EQ(step.sent[1][640], gradients[1][640]);
}

TEST(PowerSgd, ReducesTheDenseTensorsThenBothFactorsInTurn) {
    const std::vector<TensorShape> tensors{{0, 600, 20}, {600, 650, 0}};
    const auto gradients = normal_of_ranks(3, 650, 1);
    const CompressionResult step = make_compressor(PowerSgdParams{}, 3, 1)->step(views(gradients), tensors);
    ASSERT_EQ(step.exchanges.size(), 3u);
    EXPECT_EQ(step.exchanges[0].floats, 50u);
    EXPECT_EQ(step.exchanges[1].floats, 80u);    // 20 rows, 4 columns
    EXPECT_EQ(step.exchanges[2].floats, 120u);   // 30 by 4
    EXPECT_EQ(step.exchanges[2].padded, 480u);
    EXPECT_EQ(step.exchanges[2].after, std::vector<std::uint32_t>{1});
    for (const WordExchange& exchange : step.exchanges) EXPECT_EQ(exchange.carrier, CollectiveKind::all_reduce);
}

TEST(PowerSgd, ReducesOneFactorAStepWhereTheyAlternate) {
    const auto power = make_compressor(of_rank(4, PowerIteration::alternating), 2, 1);
    const auto gradients = normal_of_ranks(2, 600, 1);
    for (const std::uint64_t floats : {120u, 80u, 120u, 80u}) {
        const CompressionResult step = power->step(views(gradients), one_tensor(600, 20));
        ASSERT_EQ(step.exchanges.size(), 1u);
        EXPECT_EQ(step.exchanges[0].floats, floats);
    }
}

TEST(PowerSgd, TakesARankForEachTensor) {
    const std::vector<TensorShape> tensors{{0, 600, 20}, {600, 1200, 30}, {1200, 1210, 0}};
    const auto power = make_compressor(of_rank(4), 2, 1);
    const auto gradients = normal_of_ranks(2, 1210, 1);
    power->step(views(gradients), tensors);
    power->set_factors({1, 3, 1});
    const CompressionResult step = power->step(views(gradients), tensors);
    ASSERT_EQ(step.exchanges.size(), 3u);
    EXPECT_EQ(step.exchanges[0].floats, 10u);
    EXPECT_EQ(step.exchanges[1].floats, 20u + 3 * 30);
    EXPECT_EQ(step.exchanges[2].floats, 30u + 3 * 20);
    power->set_factors({});
    EXPECT_EQ(power->step(views(gradients), tensors).exchanges[1].floats, 4 * 50u);
}

TEST(PowerSgd, GoesOnWithTheColumnsThatItHasWhereRanksChange) {
    // diag(3, 2.5, 1): the best of rank 1 leaves 2.5^2 + 1, of rank 2 it leaves 1.
    const std::vector<Gradient> gradients{{3, 0, 0, 0, 2.5f, 0, 0, 0, 1}};
    const auto power = make_compressor(of_rank(2), 1, 2);
    const auto error = [&](int steps) {
        double last = 0;
        for (int i = 0; i < steps; ++i)
            last = squared_distance(power->step(views(gradients), one_tensor(9, 3)).mean, gradients[0]);
        return last;
    };
    EXPECT_NEAR(error(100), 1, 1e-5);
    power->set_factors({1});
    EXPECT_NEAR(error(1), 7.25, 1e-4);
    power->set_factors({2});
    EXPECT_LT(error(1), 6.5);   // the first column is what it was; the second is drawn
    EXPECT_NEAR(error(100), 1, 1e-5);
}

TEST(PowerSgd, RefusesFactorsThatAreNotOnePerTensorOrNoRanks) {
    const auto power = make_compressor(of_rank(1), 1, 1);
    const std::vector<Gradient> gradients{normal(600, 1)};
    for (const std::vector<double>& wrong : {std::vector<double>{1, 1}, {0.5}, {70'000}}) {
        power->set_factors(wrong);
        EXPECT_THROW(power->step(views(gradients), one_tensor(600, 20)), std::invalid_argument) << wrong[0];
    }
}

TEST(PowerSgd, RefusesRankZeroAndTensorsThatChange) {
    EXPECT_THROW(make_compressor(of_rank(0), 1, 1), std::invalid_argument);
    const auto power = make_compressor(of_rank(1), 1, 1);
    const std::vector<Gradient> gradients{normal(600, 1)};
    power->step(views(gradients), one_tensor(600, 20));
    EXPECT_THROW(power->step(views(gradients), one_tensor(600, 30)), std::invalid_argument);
    power->reset();
    EXPECT_NO_THROW(power->step(views(gradients), one_tensor(600, 30)));
}

}   // namespace
}   // namespace oscar::power_sgd_test
