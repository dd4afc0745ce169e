// GraVAC around its compressor: gains of real gradients, residuals, agreement of the ranks.
#include "models/compressor/adaptive/gravac.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/sparse/dgc.hpp"
#include "models/compressor/sparse/sparsifier.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::gravac_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::random_gradients;

constexpr std::uint32_t ranks = 4;
constexpr std::uint64_t elements = 6000;
const std::vector<TensorShape> tensors{{0, 4000, 40}, {4000, 6000, 0}};

GravacParams of_epsilon(double epsilon) {
    GravacParams params;
    params.epsilon = epsilon;
    params.smoothing = 1;
    return params;
}

/// 1 in `sparse` of the elements is 1, all others are 0.
std::vector<std::vector<float>> ones_among_zeros(std::size_t sparse) {
    std::vector<float> gradient(elements);
    for (std::size_t i = 0; i < elements; i += sparse) gradient[i] = 1;
    return std::vector(ranks, gradient);
}

TEST(Gravac, SendsAllAndKeepsNoResidualWhereTheGainIsTooLow) {
    Gravac gravac(of_epsilon(1), ranks, 1);
    for (std::uint64_t s = 0; s < 3; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        const CompressionResult step = gravac.step(views(gradients), tensors);
        EXPECT_EQ(step.mean, mean_of(views(gradients)));   // no residual of the step before
        EXPECT_THAT(step.factors, ElementsAre(1, 1));
        ASSERT_EQ(step.exchanges.size(), 2u);
        EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_reduce);
        EXPECT_EQ(step.exchanges[1].padded, 4 * elements);
    }
}

TEST(Gravac, SendsWhatLosesNothingEvenAtAnEpsilonOfOne) {
    Gravac gravac(of_epsilon(1), ranks, 1);
    const auto gradients = ones_among_zeros(10);   // the floor keeps them all, the candidate half of them
    const CompressionResult step = gravac.step(views(gradients), tensors);
    EXPECT_THAT(step.factors, Each(10));
    EXPECT_EQ(step.mean, gradients[0]);
    ASSERT_EQ(step.gains.size(), 2u);
    EXPECT_EQ(step.gains[0].factor, 10);
    EXPECT_DOUBLE_EQ(step.gains[0].gain, 1);
    EXPECT_EQ(step.gains[1].factor, 20);
    EXPECT_DOUBLE_EQ(step.gains[1].gain, 0.5);
}

TEST(Gravac, TellsTheThroughputOfTheFactorsThatItSent) {
    Gravac gravac(of_epsilon(1), ranks, 1);
    const auto gradients = ones_among_zeros(10);
    EXPECT_EQ(gravac.step(views(gradients), tensors).gains[0].throughput, std::nullopt);
    gravac.completed({.backward = Time{2'000'000}, .compression = {}, .communication = {}});
    const CompressionResult step = gravac.step(views(gradients), tensors);
    EXPECT_DOUBLE_EQ(step.gains[0].throughput.value(), ranks * GravacParams{}.batch / 2e-6);
    EXPECT_EQ(step.gains[1].throughput, std::nullopt);
}

TEST(Gravac, IsItsCompressorWithErrorFeedbackWhileTheCandidateIsSent) {
    Gravac gravac(of_epsilon(0), ranks, 1);
    ErrorFed top_k(make_sparsifier(TopKSelect{}, 20, {}, ranks, 1));
    for (std::uint64_t s = 0; s < 4; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        const CompressionResult step = gravac.step(views(gradients), tensors);
        EXPECT_EQ(step.mean, top_k.step(views(gradients), tensors).mean);
        EXPECT_THAT(step.factors, Each(20));
    }
}

/// Heavy tails in even steps and light ones in odd, so that gains are now above, now below an epsilon of 0.8.
std::vector<std::vector<float>> changing_gradients(std::uint64_t step) {
    auto gradients = random_gradients(ranks, elements, step);
    if (step % 2 == 1)
        for (auto& gradient : gradients)
            for (float& v : gradient) v = std::copysign(1.0f, v);
    return gradients;
}

TEST(Gravac, SendsAllSoonerOrLater) {
    Gravac gravac(of_epsilon(0.8), ranks, 1);
    std::vector<double> unsent(elements);   // of rank 3, since the last step that was sent dense
    int dense = 0, sparse = 0;
    for (std::uint64_t s = 0; s < 10; ++s) {
        const auto gradients = changing_gradients(s);
        const CompressionResult step = gravac.step(views(gradients), tensors);
        for (std::size_t i = 0; i < elements; ++i)
            unsent[i] += static_cast<double>(gradients[3][i]) - static_cast<double>(step.sent[3][i]);
        (step.factors[0] == 1 ? dense : sparse)++;
        if (step.factors[0] != 1) continue;
        EXPECT_THAT(unsent, Each(::testing::DoubleNear(0, 1e-2)));   // of magnitudes up to 10^4
        std::ranges::fill(unsent, 0.0);
    }
    EXPECT_GE(dense, 2);
    EXPECT_GE(sparse, 2);
}

TEST(GravacGains, AreOfTopKNeverAboveOneAndFallWithTheFactor) {
    double above = 1;
    for (const double factor : {1.0, 2.0, 8.0, 64.0, 1000.0}) {
        GravacParams params = of_epsilon(0.5);
        params.min_factor = factor;
        params.max_factor = 4 * factor;
        Gravac gravac(params, 1, 1);
        gravac.step(views(random_gradients(1, elements, 5)), tensors);
        const double gain = gravac.controller().floor_gain();
        EXPECT_LE(gain, above);
        EXPECT_GT(gain, 0);
        EXPECT_LE(gravac.controller().candidate_gain(), gain);
        EXPECT_TRUE(factor != 1 || gain == 1);
        above = gain;
    }
}

TEST(GravacGains, AreOfTheGradientWithItsResidualUnlessReadAsRaw) {
    for (const auto& [reference, exceeds] : {std::pair{GainReference::corrected, false}, {GainReference::raw, true}}) {
        GravacParams params = of_epsilon(0);
        params.reference = reference;
        Gravac gravac(params, ranks, 1);
        const auto gradients = std::vector(ranks, std::vector<float>(elements, 1));
        for (int s = 0; s < 6; ++s) gravac.step(views(gradients), tensors);
        EXPECT_EQ(gravac.controller().floor_gain() > 1, exceeds);   // a tenth of the residuals of 6 steps: 36 / 10
    }
}

TEST(GravacAgreement, SumsTwoGainsOrThreeNormsOrBroadcastsADecisionBeforeAllElse) {
    const auto gradients = random_gradients(ranks, elements, 1);
    GravacParams params = of_epsilon(0);
    const auto first = [&] {
        const CompressionResult step = Gravac(params, ranks, 1).step(views(gradients), tensors);
        EXPECT_EQ(step.exchanges.size(), 3u);   // and two tensors
        EXPECT_THAT(step.exchanges[1].after, ElementsAre(0));
        EXPECT_THAT(step.exchanges[2].after, ElementsAre(0));
        return step.exchanges[0];
    };
    EXPECT_EQ(first().carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(first().padded, 8u);
    params.average = GainAverage::norms;
    EXPECT_EQ(first().padded, 12u);
    params.agreement = GainAgreement::rank_0;
    EXPECT_EQ(first().carrier, CollectiveKind::broadcast);
    EXPECT_THAT(first().payload, ElementsAre(4, 0, 0, 0));
}

/// Rank 0 has a gradient of which the candidate keeps all, rank 1 one of which it keeps little.
std::vector<std::vector<float>> unlike() {
    std::vector<std::vector<float>> gradients(2, std::vector<float>(elements));
    gradients[0][7] = gradients[0][4007] = 1;
    std::ranges::fill(gradients[1], 1.0f);
    return gradients;
}

TEST(GravacAgreement, IsWantingWhereEachRankDecidesForItself) {
    GravacParams params = of_epsilon(0.7);
    params.agreement = GainAgreement::none;
    Gravac gravac(params, 2, 1);
    EXPECT_THAT(
        [&] { gravac.step(views(unlike()), tensors); },
        ::testing::ThrowsMessage<std::runtime_error>(::testing::AllOf(
            ::testing::HasSubstr("rank 0 sends the candidate but rank 1 all"), ::testing::HasSubstr("for ever"))));
    // Ranks that see the same decide the same.
    Gravac equal(params, 2, 1);
    const CompressionResult step = equal.step(views(std::vector(2, unlike()[0])), tensors);
    EXPECT_THAT(step.factors, Each(20));
    EXPECT_EQ(step.exchanges[0].what, "values and indices");
}

TEST(GravacAgreement, IsTheMeanOfGainsOrRankZerosDecision) {
    GravacParams params = of_epsilon(0.7);
    Gravac mean(params, 2, 1);
    EXPECT_THAT(mean.step(views(unlike()), tensors).factors, Each(1));   // (1 + 0.05) / 2 and (1 + 0.1) / 2
    EXPECT_NEAR(mean.controller().floor_gain(), 0.55, 1e-6);
    params.agreement = GainAgreement::rank_0;
    EXPECT_THAT(Gravac(params, 2, 1).step(views(unlike()), tensors).factors, Each(20));
    params.agreement = GainAgreement::all_reduce;
    params.average = GainAverage::norms;   // 2 + 6000 elements: those of rank 1 weigh more
    Gravac norms(params, 2, 1);
    norms.step(views(unlike()), tensors);
    EXPECT_NEAR(norms.controller().floor_gain(), (2 + 600) / 6002.0, 1e-6);
}

TEST(Gravac, ScalesUpWithItsWindowsAndSaysSoOfEachStep) {
    GravacParams params = of_epsilon(0);
    params.window = 2;
    params.omega = 0;
    Gravac gravac(params, ranks, 1);
    std::vector<double> factors;
    for (std::uint64_t s = 0; s < 8; ++s) {
        factors.push_back(gravac.step(views(random_gradients(ranks, elements, s)), tensors).factors[0]);
        gravac.completed({Time{1000 >> s}, Time{1}, Time{1}});
    }
    EXPECT_THAT(factors, ElementsAre(20, 20, 40, 40, 160, 160, 1000, 1000));
}

TEST(Gravac, IsMomentumSgdWhereAllStepsAreDense) {
    GravacParams params = of_epsilon(1);
    params.momentum = 0.5;
    Gravac gravac(params, ranks, 1);
    ASSERT_TRUE(gravac.has_momentum());
    std::vector<std::vector<float>> velocities(ranks, std::vector<float>(elements));
    for (std::uint64_t s = 0; s < 4; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        for (std::size_t r = 0; r < ranks; ++r)
            for (std::size_t i = 0; i < elements; ++i) velocities[r][i] = 0.5f * velocities[r][i] + gradients[r][i];
        EXPECT_EQ(gravac.step(views(gradients), tensors).mean, mean_of(views(velocities)));
    }
}

TEST(Gravac, IsDgcOfOneFactorWithMomentumAndMasking) {
    GravacParams params = of_epsilon(0);
    params.compressor = Selector(DgcSelect{});
    params.min_factor = params.max_factor = 20;
    params.momentum = 0.9;
    Gravac gravac(params, ranks, 7);
    DgcParams same;
    same.factor = 20;
    same.momentum = 0.9;
    same.vectors = VectorTensors::compressed;
    const auto dgc = make_compressor(same, ranks, 7);
    for (std::uint64_t s = 0; s < 6; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        EXPECT_EQ(gravac.step(views(gradients), tensors).mean, dgc->step(views(gradients), tensors).mean) << s;
    }
}

TEST(Gravac, BeginsWithoutMomentumAgainAfterAReset) {
    GravacParams params = of_epsilon(1);
    params.momentum = 0.9;
    Gravac gravac(params, ranks, 1);
    const auto gradients = random_gradients(ranks, elements, 1);
    const std::vector<float> first = gravac.step(views(gradients), tensors).mean;
    EXPECT_NE(gravac.step(views(gradients), tensors).mean, first);
    gravac.reset();
    EXPECT_EQ(gravac.step(views(gradients), tensors).mean, first);
}

TEST(Gravac, RunsWithEverySelection) {
    for_each_kind(selectors, []<class P>(const Kind<P>& kind) {
        GravacParams params = of_epsilon(0.3);
        params.compressor = Selector(P{});
        params.min_factor = 2;
        params.max_factor = 64;
        params.window = 1;
        Gravac gravac(params, ranks, 1);
        for (std::uint64_t s = 0; s < 6; ++s) {
            const CompressionResult step = gravac.step(views(random_gradients(ranks, elements, s)), tensors);
            gravac.completed({Time{1000}, Time{1}, Time{1}});
            EXPECT_EQ(step.mean, mean_of(views(step.sent))) << kind.name;
        }
    });
}

TEST(Gravac, RefusesValuesThatAreScaledAndAnotherLength) {
    GravacParams params;
    RandomKSelect unbiased;
    unbiased.unbiased = true;
    params.compressor = unbiased;
    EXPECT_THROW(Gravac(params, ranks, 1), std::invalid_argument);
    Gravac gravac(GravacParams{}, ranks, 1);
    gravac.step(views(random_gradients(ranks, elements, 1)), tensors);
    EXPECT_THROW(gravac.step(views(random_gradients(ranks, 10, 1)), testing::one_tensor(10)), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::gravac_test
