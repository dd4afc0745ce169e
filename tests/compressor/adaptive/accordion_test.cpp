// Accordion's table of regimes, of its authors and of GraVAC's reading.
#include "models/compressor/adaptive/accordion.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <type_traits>

#include "models/compressor/adaptive/accordion_controller.hpp"
#include "models/compressor/base/feedback.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::accordion_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::random_gradients;

const std::vector<TensorShape> pair_of_tensors{{0, 3, 0}, {3, 4, 0}};

/// Epochs, from 0, whose steps a tensor spends in the critical regime, where its gradient in epoch e is norm(e).
template <class Norm, class LearningRate>
std::set<int> critical_epochs(int epochs, Norm norm, LearningRate learning_rate) {
    EpochRegimes regimes(10, 0.5);
    std::set<int> result;
    for (int e = 0; e < epochs; ++e) {
        for (int step = 0; step < 2; ++step)
            regimes.add(std::vector<float>{norm(e) / 2}, std::vector<TensorShape>{{0, 1, 0}});
        if (regimes.critical()[0]) result.insert(e);
        regimes.end_epoch(learning_rate(e));
    }
    return result;
}
std::set<int> range(int first, int last) {
    std::set<int> result;
    for (int e = first; e <= last; ++e) result.insert(e);
    return result;
}
std::set<int> united(std::set<int> a, const std::set<int>& b) {
    a.insert(b.begin(), b.end());
    return a;
}
constexpr auto constant_rate = [](int) { return 0.1; };
constexpr auto one = [](int) { return 1.0f; };

TEST(EpochRegimes, AreCriticalToTheEndOfEpoch10WhereNormsAreConstant) {
    // The end of epoch 0 has nothing to compare with; that of epoch 10 sees no change.
    EXPECT_EQ(critical_epochs(40, one, constant_rate), range(0, 10));
}

TEST(EpochRegimes, AreCriticalWhereTheNormChangesByHalfOrMore) {
    const auto halved = [](int e) { return e < 20 ? 1.0f : 0.5f; };   // exactly the threshold, seen at the end of 20
    EXPECT_EQ(critical_epochs(50, halved, constant_rate), united(range(0, 10), range(21, 30)));
    const auto grown = [](int e) { return e < 20 ? 1.0f : 1.5f; };
    EXPECT_EQ(critical_epochs(50, grown, constant_rate), united(range(0, 10), range(21, 30)));
    const auto nearly = [](int e) { return e < 20 ? 1.0f : 0.5001f; };   // 0.4999
    EXPECT_EQ(critical_epochs(50, nearly, constant_rate), range(0, 10));
}

TEST(EpochRegimes, LookAtEveryTenthEpochOnly) {
    const auto unsteady = [](int e) { return e % 10 == 0 ? 1.0f : 100.0f; };
    EXPECT_EQ(critical_epochs(50, unsteady, constant_rate), range(0, 10));
}

TEST(EpochRegimes, AreCriticalAfterTheLearningRateFellToTheNextComparison) {
    // Divided by 10 after epoch 150 and again after 250: epochs 151 and 251 are the first that have it.
    const auto decayed = [](int e) { return e > 250 ? 0.001 : e > 150 ? 0.01 : 0.1; };
    EXPECT_EQ(critical_epochs(300, one, decayed), united(range(0, 10), united(range(152, 160), range(252, 260))));
}

TEST(EpochRegimes, AreCriticalWhereAComparisonAndAFallOfTheRateCoincide) {
    const auto decayed = [](int e) { return e >= 20 ? 0.01 : 0.1; };   // at the end of 20: compared, then overridden
    EXPECT_EQ(critical_epochs(40, one, decayed), united(range(0, 10), range(21, 30)));
    const auto warmed_up = [](int e) { return e < 15 ? 0.1 : 0.2; };
    EXPECT_EQ(critical_epochs(40, one, warmed_up), range(0, 10));
}

TEST(EpochRegimes, AreCriticalAfterANormOfZero) {
    const auto rising = [](int e) { return e < 15 ? 0.0f : 1.0f; };   // 0 and 0 at the end of 10, 0 and 1 at that of 20
    EXPECT_EQ(critical_epochs(50, rising, constant_rate), range(0, 30));
}

TEST(EpochRegimes, AreOfEachTensorAndOfSumsOverAnEpoch) {
    EpochRegimes regimes(1, 0.5);
    // The first tensor's gradients cancel out in the second epoch; the other's are as before.
    regimes.add(std::vector<float>{3, 4, 0, 1}, pair_of_tensors);
    regimes.add(std::vector<float>{3, 4, 0, 1}, pair_of_tensors);
    EXPECT_TRUE(regimes.end_epoch(1));
    EXPECT_THAT(regimes.critical(), ElementsAre(true, true));
    regimes.add(std::vector<float>{3, 4, 0, 1}, pair_of_tensors);
    regimes.add(std::vector<float>{-3, -4, 0, 1}, pair_of_tensors);
    regimes.end_epoch(1);
    EXPECT_THAT(regimes.critical(), ElementsAre(true, false));
}

TEST(WindowedAverage, WeighsByAge) {
    WindowedAverage average(3, 0.5);
    EXPECT_EQ(average.add(8), 0);
    EXPECT_EQ(average.add(4), 0);
    EXPECT_DOUBLE_EQ(average.add(2), (2 + 4 * 0.5 + 8 * 0.25) / 1.75);
    EXPECT_DOUBLE_EQ(average.add(6), (6 + 2 * 0.5 + 4 * 0.25) / 1.75);
}

TEST(StepRegime, IsCriticalWhereTheMovingAverageMovesByTheThreshold) {
    StepRegime regime(2, 0.5, 0.2);
    const auto critical = [&](float a, float b) {
        return regime.critical(std::vector<float>{a, 0, 0, b}, pair_of_tensors);
    };
    EXPECT_FALSE(critical(1, 2));     // norms 1 + 2, the window is not full
    EXPECT_FALSE(critical(2, -1));    // average 3, nothing before it
    EXPECT_FALSE(critical(3, 0));     // 3 again
    EXPECT_TRUE(critical(3.9f, 0));   // (3.9 + 1.5) / 1.5 = 3.6: by 0.2, for 3.9f is a little above
    EXPECT_FALSE(critical(3.9f, 0));
}

constexpr std::uint32_t ranks = 2;
constexpr std::uint64_t elements = 400;
const std::vector<TensorShape> tensors{{0, 300, 10}, {300, 400, 0}};

AccordionParams steering(double low, double high) {
    AccordionParams params;
    params.low = low;
    params.high = high;
    params.period = 1;
    return params;
}

TEST(Accordion, CompressesLittleAtFirstAndMuchWhereGradientsAreSteady) {
    const auto accordion = make_compressor(steering(2, 20), ranks, 1);
    const auto gradients = random_gradients(ranks, elements, 1);
    std::vector<std::uint64_t> bytes;
    for (int epoch = 0; epoch < 3; ++epoch) {
        const CompressionResult step = accordion->step(views(gradients), tensors);
        EXPECT_THAT(step.factors, Each(epoch < 2 ? 2 : 20));
        bytes.push_back(step.exchanges.back().padded);
        accordion->end_epoch(0.1);
    }
    EXPECT_THAT(bytes, ElementsAre(50 * 8, 50 * 8, 5 * 8));   // of the vector of 100
}

TEST(Accordion, BroadcastsAByteForEachTensorAfterAComparison) {
    const auto accordion = make_compressor(steering(2, 20), ranks, 1);
    const auto gradients = random_gradients(ranks, elements, 1);
    EXPECT_EQ(accordion->step(views(gradients), tensors).exchanges.size(), 2u);
    accordion->end_epoch(0.1);
    const CompressionResult told = accordion->step(views(gradients), tensors);
    ASSERT_EQ(told.exchanges.size(), 3u);
    EXPECT_EQ(told.exchanges[0].carrier, CollectiveKind::broadcast);
    EXPECT_THAT(told.exchanges[0].payload, ElementsAre(4, 0));   // 2 tensors, in a word
    EXPECT_THAT(told.exchanges[1].after, ElementsAre(0));
    EXPECT_EQ(accordion->step(views(gradients), tensors).exchanges.size(), 2u);
}

TEST(Accordion, LooksAtRankZerosRawGradient) {
    const auto accordion = make_compressor(steering(2, 20), ranks, 1);
    auto gradients = random_gradients(ranks, elements, 1);
    for (int epoch = 0; epoch < 5; ++epoch) {
        accordion->step(views(gradients), tensors);
        accordion->end_epoch(0.1);
        for (float& v : gradients[1]) v *= 3;   // of another rank: does not matter
    }
    EXPECT_THAT(accordion->step(views(gradients), tensors).factors, Each(20));   // nor do residuals
    for (float& v : gradients[0]) v *= 3;
    accordion->end_epoch(0.1);
    accordion->step(views(gradients), tensors);
    accordion->end_epoch(0.1);
    EXPECT_THAT(accordion->step(views(gradients), tensors).factors, Each(2));
}

TEST(Accordion, HasErrorFeedbackUnlessItIsAsItsAuthors) {
    AccordionParams params = steering(20, 20);
    const auto fed = make_compressor(params, ranks, 1);
    params.error_feedback = false;
    const auto unfed = make_compressor(params, ranks, 1);
    ErrorFed reference(make_sparsifier(TopKSelect{}, 20, {}, ranks, 1));
    const auto plain = make_sparsifier(TopKSelect{}, 20, {}, ranks, 1);
    for (std::uint64_t s = 0; s < 3; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        EXPECT_EQ(fed->step(views(gradients), tensors).mean, reference.step(views(gradients), tensors).mean);
        EXPECT_EQ(unfed->step(views(gradients), tensors).mean, plain->step(views(gradients), tensors).mean);
    }
}

TEST(Accordion, GivesTheSumIfItIsAskedFor) {
    AccordionParams params = steering(1, 1);
    params.reduction = Reduction::sum;
    const auto gradients = random_gradients(ranks, elements, 1);
    EXPECT_EQ(make_compressor(params, ranks, 1)->step(views(gradients), tensors).mean, sum_of(views(gradients)));
}

TEST(Accordion, DecidesInEveryStepInGravacsReading) {
    AccordionParams params = steering(2, 20);
    params.rule = AccordionRule::per_iteration;
    params.window = 1;
    params.threshold = 0.2;
    const auto accordion = make_compressor(params, ranks, 1);
    auto gradients = random_gradients(ranks, elements, 1);
    std::vector<double> factors;
    for (const float growth : {1.0f, 1.0f, 1.5f, 1.0f, 0.7f}) {
        for (float& v : gradients[0]) v *= growth;
        const CompressionResult step = accordion->step(views(gradients), tensors);
        factors.push_back(step.factors[0]);
        EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::broadcast);
    }
    EXPECT_THAT(factors, ElementsAre(20, 20, 2, 20, 2));
}

// Floats of the authors' count for a model of two layers: values and indices of floor(n / factor) elements each.
TEST(Accordion, CountsFloatsAsItsAuthors) {
    AccordionParams params = steering(4, 4);
    SparsifierParams<TopKSelect> top_k;
    top_k.floats = CountedFloats::values_and_indices;
    params.compressor = top_k;
    const CompressionResult step =
        make_compressor(params, ranks, 1)->step(views(random_gradients(ranks, elements, 1)), tensors);
    EXPECT_EQ(step.exchanges[0].floats + step.exchanges[1].floats, 2 * (300 / 4 + 100 / 4));
}

TEST(Accordion, SteersEveryAdjustableCompressor) {
    for_each_kind(adjustable_kinds, []<class P>(const Kind<P>& kind) {
        constexpr bool low_rank = std::is_same_v<P, PowerSgdParams>;   // whose factors are ranks: 10 is all of them
        AccordionParams params = low_rank ? steering(10, 1) : steering(1, 50);
        params.compressor = P{};
        const auto accordion = make_compressor(params, ranks, 1);
        const auto gradients = random_gradients(ranks, elements, 1);
        EXPECT_EQ(accordion->step(views(gradients), tensors).sent, gradients) << kind.name;
        accordion->end_epoch(1);
        accordion->step(views(gradients), tensors);
        accordion->end_epoch(1);
        EXPECT_NE(accordion->step(views(gradients), tensors).sent, gradients) << kind.name;
    });
}

}   // namespace
}   // namespace oscar::accordion_test
