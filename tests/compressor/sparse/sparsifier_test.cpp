// Laws of the sparsifiers as compressors.
#include "models/compressor/sparse/sparsifier.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/compressors.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::sparsifier_test {
namespace {

using ::testing::ElementsAre;
using testing::random_gradients;

constexpr std::uint32_t ranks = 3;
constexpr std::uint64_t elements = 4000;
const std::vector<TensorShape> tensors{{0, 3000, 30}, {3000, 3999, 0}, {3999, 4000, 0}};

template <class Law>
void for_each_selector(Law law) {
    for_each_kind(selectors, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        law(Selector(P{}));
    });
}

std::unique_ptr<Adjustable> sparsifier(const Selector& selector, double factor) {
    return make_sparsifier(selector, factor, {}, ranks, 3);
}

TEST(EverySparsifier, IsTheDenseMeanBitForBitAtAFactorOfOne) {
    for_each_selector([](const Selector& selector) {
        auto gradients = random_gradients(ranks, elements, 1);
        for (auto& gradient : gradients) gradient[5] = -0.0f;
        const CompressionResult step = sparsifier(selector, 1)->step(views(gradients), tensors);
        EXPECT_EQ(step.mean, mean_of(views(gradients)));
        EXPECT_TRUE(std::signbit(step.mean[5]));
        EXPECT_EQ(step.sent, gradients);
    });
}

TEST(EverySparsifier, SendsElementsAsTheyAreAndAveragesThem) {
    for_each_selector([](const Selector& selector) {
        const auto gradients = random_gradients(ranks, elements, 1);
        const CompressionResult step = sparsifier(selector, 20)->step(views(gradients), tensors);
        for (std::uint32_t r = 0; r < ranks; ++r)
            for (std::size_t i = 0; i < elements; ++i)
                EXPECT_TRUE(step.sent[r][i] == 0 || step.sent[r][i] == gradients[r][i]) << r << ' ' << i;
        EXPECT_EQ(step.mean, mean_of(views(step.sent)));
    });
}

TEST(EverySparsifier, SplitsTheCorrectedGradientBitForBitIntoMessageAndResidual) {
    for_each_selector([](const Selector& selector) {
        ErrorFed compressor(sparsifier(selector, 20));
        std::vector<float> residual(elements);
        for (std::uint64_t s = 0; s < 4; ++s) {
            const auto gradients = random_gradients(ranks, elements, s);
            const CompressionResult step = compressor.step(views(gradients), tensors);
            for (std::size_t i = 0; i < elements; ++i) {
                const float corrected = gradients[2][i] + residual[i];
                EXPECT_EQ(step.sent[2][i] + compressor.residual(2)[i], corrected);
                EXPECT_TRUE(step.sent[2][i] == 0 || compressor.residual(2)[i] == 0);
                residual[i] = compressor.residual(2)[i];
            }
        }
    });
}

TEST(EverySparsifier, TakesTheFactorOfEachTensorThatItIsGiven) {
    for_each_selector([](const Selector& selector) {
        const auto compressor = sparsifier(selector, 5);
        const auto gradients = random_gradients(ranks, elements, 1);
        compressor->set_factors({1, 100, 1});
        const CompressionResult step = compressor->step(views(gradients), tensors);
        EXPECT_TRUE(std::equal(step.sent[0].begin(), step.sent[0].begin() + 3000, gradients[0].begin()));
        EXPECT_LT(
            std::count_if(step.sent[0].begin() + 3000, step.sent[0].begin() + 3999, [](float v) { return v != 0; }),
            250);
        compressor->set_factors({1, 100});
        EXPECT_THROW(compressor->step(views(gradients), tensors), std::invalid_argument);
        compressor->set_factors({1, 0.5, 1});
        EXPECT_THROW(compressor->step(views(gradients), tensors), std::invalid_argument);
    });
}

TEST(TopK, CompressesEachTensorForItself) {
    const std::vector<float> gradient{9, 8, 7, 6, 1, -2};
    const std::vector<TensorShape> two{{0, 4, 2}, {4, 6, 0}};
    SparsifierParams<TopKSelect> params;
    params.factor = 2;
    const auto compressor = make_compressor(LossyKind(params), 1, 1);
    const CompressionResult step = compressor->step(std::vector{std::span<const float>(gradient)}, two);
    EXPECT_THAT(step.mean, ElementsAre(9, 8, 0, 0, 0, -2));
    EXPECT_THAT(step.exchanges, ::testing::SizeIs(2));
    EXPECT_EQ(step.exchanges[0].padded, 2 * 8u);
    EXPECT_EQ(step.exchanges[1].padded, 8u);
}

TEST(RandomK, SharesItsLotsAndItsSumsTravelByAllReduce) {
    const auto gradients = random_gradients(ranks, elements, 1);
    const CompressionResult step = sparsifier(RandomKSelect{}, 10)->step(views(gradients), tensors);
    for (std::size_t i = 0; i < elements; ++i) EXPECT_EQ(step.sent[0][i] == 0, step.sent[1][i] == 0) << i;
    ASSERT_EQ(step.exchanges.size(), 3u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(step.exchanges[0].padded, 300 * 4u);
}

TEST(RandomK, DrawsAnewInEachStepAndOfEachRankWhereLotsAreItsOwn) {
    RandomKSelect own;
    own.lots = Lots::per_rank;
    const auto compressor = sparsifier(own, 10);
    const auto gradients = random_gradients(ranks, elements, 1);
    const CompressionResult first = compressor->step(views(gradients), tensors),
                            second = compressor->step(views(gradients), tensors);
    EXPECT_NE(first.sent[0], second.sent[0]);
    int both = 0;
    for (std::size_t i = 0; i < elements; ++i) both += first.sent[0][i] != 0 && first.sent[1][i] != 0;
    EXPECT_LT(both, 100);   // of 400 each, 40 on average
    EXPECT_EQ(first.exchanges[0].carrier, CollectiveKind::all_gather);
    EXPECT_EQ(first.exchanges[0].padded, 300 * 8u);
}

TEST(RandomK, IsUnbiasedIfItIsScaled) {
    RandomKSelect unbiased;
    unbiased.unbiased = true;
    const auto compressor = make_sparsifier(unbiased, 4, {}, 1, 3);
    const std::vector<float> gradient{1, -2, 3, 4, 0.5f, 6, -7, 8};
    const std::vector<TensorShape> one{{0, 8, 0}};
    std::vector<double> mean(8), squares(8);
    constexpr int draws = 10'000;
    for (int d = 0; d < draws; ++d) {
        const CompressionResult step = compressor->step(std::vector{std::span<const float>(gradient)}, one);
        for (std::size_t i = 0; i < 8; ++i) {
            mean[i] += static_cast<double>(step.mean[i]) / draws;
            squares[i] += std::pow(static_cast<double>(step.mean[i]), 2) / draws;
        }
    }
    for (std::size_t i = 0; i < 8; ++i)   // 3 sigma each would fail one time in fifty over all eight
        EXPECT_NEAR(mean[i], static_cast<double>(gradient[i]), 4 * std::sqrt((squares[i] - mean[i] * mean[i]) / draws));
    EXPECT_FALSE(compressor->takes_error_feedback());
    EXPECT_THROW(ErrorFed(make_sparsifier(unbiased, 4, {}, 1, 3)), std::invalid_argument);
}

TEST(MultiLevel, OfTopKIsTopKOfTheProduct) {
    MultiLevelParams params;
    params.first = 10;
    params.second = 100;
    const auto gradients = random_gradients(ranks, 20'000, 4);
    const auto whole = testing::one_tensor(20'000);
    const CompressionResult two = make_compressor(LossyKind(params), ranks, 1)->step(views(gradients), whole);
    const CompressionResult one = make_sparsifier(TopKSelect{}, 1000, {}, ranks, 1)->step(views(gradients), whole);
    EXPECT_EQ(two.mean, one.mean);
    EXPECT_EQ(two.exchanges[0].payload, one.exchanges[0].payload);
}

TEST(MultiLevel, LooksInItsSecondLevelAtTheFirstAlone) {
    MultiLevelParams params;
    const auto gradients = random_gradients(1, 100'000, 4);
    const auto whole = testing::one_tensor(100'000);
    const ComputeCost two = make_compressor(LossyKind(params), 1, 1)->step(views(gradients), whole).operations;
    const ComputeCost one = make_sparsifier(TopKSelect{}, 10, {}, 1, 1)->step(views(gradients), whole).operations;
    EXPECT_EQ(two.comparisons - one.comparisons, 2 * 10'000u);
}

TEST(ErrorFed, RefusesOtherRanksOrAnotherLengthThanBefore) {
    ErrorFed compressor(sparsifier(TopKSelect{}, 10));
    compressor.step(views(random_gradients(ranks, elements, 1)), tensors);
    EXPECT_THROW(compressor.step(views(random_gradients(ranks - 1, elements, 1)), tensors), std::invalid_argument);
    EXPECT_THROW(compressor.step(views(random_gradients(ranks, 100, 1)), testing::one_tensor(100)),
                 std::invalid_argument);
    EXPECT_NO_THROW(compressor.step(views(random_gradients(ranks, elements, 1)), tensors));
    compressor.reset();
    EXPECT_EQ(compressor.residual(0).size(), 0u);
}

TEST(ErrorFed, StandsOnlyAroundWhatTakesIt) {
    EXPECT_FALSE(with_error_feedback(sparsifier(TopKSelect{}, 10))->takes_error_feedback());
    EXPECT_THROW(ErrorFed(with_error_feedback(sparsifier(TopKSelect{}, 10))), std::invalid_argument);
    EXPECT_NE(with_error_feedback(make_compressor(LossyKind(DgcParams{}), 2, 1)), nullptr);
}

}   // namespace
}   // namespace oscar::sparsifier_test
