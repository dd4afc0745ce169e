// What each selection takes out of known distributions.
#include "models/compressor/sparse/selectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "models/compressor/base/magnitude.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::selectors_test {
namespace {

using ::testing::IsEmpty;

constexpr std::size_t million = 1'000'000;

Positions chosen(const Selector& selector, const std::vector<float>& values, double factor, std::uint64_t key = 1) {
    ComputeCost operations;
    return select(selector, {values, factor, key}, operations);
}

double share_of_energy(const std::vector<float>& values, const Positions& positions) {
    return squared_norm(gather(values, positions)) / squared_norm(values);
}

/// How many a selection takes of those asked for.
double hit(const Selector& selector, const std::vector<float>& values, double factor) {
    return static_cast<double>(chosen(selector, values, factor).size()) * factor / static_cast<double>(values.size());
}

template <class Law>
void for_each_selector(Law law) {
    for_each_kind(selectors, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        law(Selector(P{}));
    });
}

TEST(EverySelection, IsAscendingWithoutRepetitionAndInRange) {
    for_each_selector([](const Selector& selector) {
        for (const std::size_t n : {1u, 2u, 31u, 1000u, 20011u})
            for (const double factor : {1.0, 1.5, 3.0, 10.0, 999.5, 1e6}) {
                const std::vector<float> values = testing::drawn(n, n, testing::log_normal_at);
                const Positions positions = chosen(selector, values, factor);
                EXPECT_EQ(std::ranges::adjacent_find(positions, std::greater_equal{}), positions.end());
                EXPECT_TRUE(positions.empty() || positions.back() < n);
                const bool fixed = factor == 1 || has_fixed_count(selector);
                EXPECT_TRUE(!fixed || positions.size() == selection_size(n, factor)) << positions.size();
            }
    });
}

TEST(EverySelection, RefusesAFactorBelowOneOrNotFinite) {
    for_each_selector([](const Selector& selector) {
        for (const double wrong : {0.0, 0.99, -3.0, HUGE_VAL, std::nan("")})
            EXPECT_THROW(chosen(selector, {1, 2, 3}, wrong), std::invalid_argument) << wrong;
    });
}

TEST(EverySelection, IsTheSameForTheSameKey) {
    const std::vector<float> values = testing::drawn(5000, 1, testing::normal_at);
    for_each_selector(
        [&](const Selector& selector) { EXPECT_EQ(chosen(selector, values, 20, 5), chosen(selector, values, 20, 5)); });
}

TEST(Kept, IsRoundedDownButNeverZero) {
    EXPECT_EQ(selection_size(1000, 10), 100u);
    EXPECT_EQ(selection_size(1009, 10), 100u);
    EXPECT_EQ(selection_size(9, 10), 1u);
    EXPECT_EQ(selection_size(100, 1.5), 66u);
}

// Of n = 10^6 independent elements. For the Gaussian, with z the quantile of the magnitude that a share r exceeds, the
// kept energy is r + 2 z phi(z): 0.1 + 2 * 1.6449 * 0.10314 = 0.439. For the Laplace, with t = -ln r, it is
// r (t^2 + 2 t + 2) / 2: 0.1 * (5.302 + 4.605 + 2) / 2 = 0.595.
TEST(TopKSelection, KeepsTheEnergyThatTheDistributionGives) {
    const std::vector<float> gaussian = testing::drawn(million, 1, testing::normal_at);
    const std::vector<float> laplace = testing::drawn(million, 2, testing::laplace_at);
    const Selector top_k(TopKSelect{});
    EXPECT_NEAR(share_of_energy(gaussian, chosen(top_k, gaussian, 10)), 0.439, 0.01 * 0.439);
    EXPECT_NEAR(share_of_energy(gaussian, chosen(top_k, gaussian, 100)), 0.084, 0.01 * 0.084);
    EXPECT_NEAR(share_of_energy(gaussian, chosen(top_k, gaussian, 1000)), 0.0127, 0.01 * 0.0127);
    EXPECT_NEAR(share_of_energy(laplace, chosen(top_k, laplace, 10)), 0.595, 0.01 * 0.595);
    EXPECT_NEAR(share_of_energy(laplace, chosen(top_k, laplace, 100)), 0.162, 0.01 * 0.162);
    EXPECT_NEAR(share_of_energy(laplace, chosen(top_k, laplace, 1000)), 0.032, 0.02 * 0.032);
}

TEST(TopKSelection, IsAContraction) {
    for (const auto at : {testing::normal_at, testing::student_at}) {
        const std::vector<float> values = testing::drawn(5000, 9, at);
        for (const double factor : {1.5, 10.0, 700.0}) {
            const double share = share_of_energy(values, chosen(TopKSelect{}, values, factor));
            EXPECT_GE(share, static_cast<double>(selection_size(5000, factor)) / 5000);
        }
    }
    // Equal magnitudes meet the bound: k/n of the energy.
    EXPECT_NEAR(share_of_energy(std::vector<float>(1000, -3), chosen(TopKSelect{}, std::vector<float>(1000, -3), 10)),
                0.1, 1e-12);
}

/// A sample whose largest magnitude is `max`, which is all that RedSync's thresholds depend on besides the mean.
template <class At>
std::vector<float> drawn_with_max(double max, At at) {
    std::vector<float> values = testing::drawn(million, 3, at);
    for (float& v : values) v = std::clamp(v, -0.999f * static_cast<float>(max), 0.999f * static_cast<float>(max));
    values[million / 2] = static_cast<float>(max);
    return values;
}

// Gaussian, mean magnitude 0.798, maximum 5.63. Thresholds at t = 1/2, 3/8, 1/4, 1/8: 3.214, 2.610, 2.006, 1.402, which
// 1309, 9055, 44860, 160920 of a million exceed. k = 10^5: 1309 and 44860 are below k/2, so 1/8 stands: 1.61 k.
// k = 10^4: 1309 below k/2, 44860 not, so 3/8: 0.91 k. k = 1000: 1309 at once.
TEST(RedSync, FindsForAGaussianWhatItsThreeThresholdsGive) {
    const std::vector<float> gaussian = drawn_with_max(5.63, testing::normal_at);
    EXPECT_NEAR(hit(RedSyncSelect{}, gaussian, 10), 1.61, 0.02);
    EXPECT_NEAR(hit(RedSyncSelect{}, gaussian, 100), 0.906, 0.03);
    EXPECT_NEAR(hit(RedSyncSelect{}, gaussian, 1000), 1.31, 0.1);
}

// Laplace, mean 1, maximum 13.4; exp(-threshold) exceed it. k = 10^5: 1/8 is 2.55: 78000. k = 10^4: 1/4 is 4.1: 16600.
// k = 1000: 1/2 is 7.2: 747, not below k/2; 3/4 is 10.3: 34; 5/8 is 8.75: 158.
TEST(RedSync, FindsForALaplaceWhatItsThreeThresholdsGive) {
    const std::vector<float> laplace = drawn_with_max(13.4, testing::laplace_at);
    EXPECT_NEAR(hit(RedSyncSelect{}, laplace, 10), 0.781, 0.01);
    EXPECT_NEAR(hit(RedSyncSelect{}, laplace, 100), 1.657, 0.04);
    EXPECT_NEAR(hit(RedSyncSelect{}, laplace, 1000), 0.158, 0.04);
}

// Student, 3 degrees: P(|v| > x) is about 2.205 / x^3, its mean magnitude 1.103. With a maximum of 271, the lowest of
// the thresholds is 1.103 + 269.9 / 8 = 34.8: 52 elements exceed it, however many are asked for.
TEST(RedSync, MissesHeavyTailsForTheirMaximumDominates) {
    const std::vector<float> student = drawn_with_max(271, testing::student_at);
    for (const double factor : {10.0, 100.0, 1000.0})
        EXPECT_NEAR(static_cast<double>(chosen(RedSyncSelect{}, student, factor).size()), 52, 4 * std::sqrt(52.0))
            << factor;
}

TEST(RedSync, CountsThreeTimesAtMost) {
    for (const auto at : {testing::normal_at, testing::laplace_at, testing::student_at})
        for (const double factor : {1.5, 10.0, 1000.0}) {
            ComputeCost operations;
            const std::vector<float> values = testing::drawn(10'000, 4, at);
            select(RedSyncSelect{}, {values, factor, 0}, operations);
            EXPECT_THAT(operations.rounds, ::testing::AllOf(::testing::Ge(1u), ::testing::Le(3u)));
        }
}

TEST(RedSync, MovesItsThresholdTowardsTheAim) {
    // Mean 1, maximum 9: t = 1/2 is the threshold 5, which one exceeds; fewer than half of k = 4, so t = 1/4: 3, one;
    // t = 1/8: 2, five elements of 2.5 exceed it with the 9. Between 4 and 8: that stands.
    std::vector<float> values(40, 0);
    values[0] = 9;
    std::fill(values.begin() + 1, values.begin() + 6, 2.5f);     // 9 + 12.5 = 21.5
    std::fill(values.begin() + 6, values.begin() + 31, 0.74f);   // + 18.5 = 40
    EXPECT_EQ(chosen(RedSyncSelect{}, values, 10), (Positions{0, 1, 2, 3, 4, 5}));
    // The other way: k = 1. One above 5 is not more than k, but no less than k/2 either, so t rises to 3/4, threshold
    // 7, and to 7/8, threshold 8: one.
    EXPECT_EQ(chosen(RedSyncSelect{}, values, 40), (Positions{0}));
}

TEST(RedSync, SelectsNothingOfEqualMagnitudes) {
    for (const float value : {0.0f, 0.1f, -7.0f})
        EXPECT_THAT(chosen(RedSyncSelect{}, std::vector<float>(999, value), 10), IsEmpty());
}

TEST(TrimmedTopK, IsTopK) {
    for (const auto at : {testing::normal_at, testing::student_at, testing::laplace_at}) {
        const std::vector<float> values = testing::drawn(10'000, 4, at);
        for (const double factor : {1.2, 10.0, 1000.0})
            EXPECT_EQ(chosen(TrimmedTopKSelect{}, values, factor), chosen(TopKSelect{}, values, factor));
    }
    const std::vector<float> equal(50, 2);
    EXPECT_EQ(chosen(TrimmedTopKSelect{}, equal, 10), chosen(TopKSelect{}, equal, 10));
}

TEST(TrimmedTopK, LooksAtWhatExceedsItsThresholdAlone) {
    std::vector<float> values(1000, 1);
    std::fill(values.begin() + 100, values.begin() + 130, 100.0f);
    ComputeCost operations;
    EXPECT_EQ(select(TrimmedTopKSelect{}, {values, 50, 0}, operations).size(), 20u);
    // Mean and maximum, one count of a thousand each, and two digits of the thirty that exceed 0.8 of the way up.
    EXPECT_EQ(operations.comparisons, 1000 + 1000 + 2 * 30u);
    EXPECT_EQ(operations.rounds, 1u);
}

// P(|v| > t) = exp(-t) for Laplace, so the quantile of one fit is exact; its error is that of a binomial count and of
// the estimated mean, each sqrt(1/(n r)) or smaller.
TEST(Sidco, HitsLaplaceWithOneStage) {
    const std::vector<float> laplace = testing::drawn(million, 2, testing::laplace_at);
    for (const double factor : {2.0, 10.0, 100.0, 1000.0})
        EXPECT_NEAR(hit(SidcoSelect{1}, laplace, factor), 1, 4 * std::sqrt(factor / million) + 0.01) << factor;
}

TEST(Sidco, HitsLaplaceWithMoreStagesToo) {   // for an exponential without memory is an exponential again
    const std::vector<float> laplace = testing::drawn(million, 2, testing::laplace_at);
    for (const std::uint32_t stages : {0u, 2u, 3u})
        for (const double factor : {1.2, 10.0, 1000.0})
            EXPECT_NEAR(hit(SidcoSelect{stages}, laplace, factor), 1, 4 * std::sqrt(factor / million) + 0.01)
                << stages << ' ' << factor;
}

TEST(Sidco, FitsAHeavyTailBetterWithStagesOfAQuarter) {
    const std::vector<float> student = testing::drawn(million, 3, testing::student_at);
    const auto miss = [&](std::uint32_t stages) {
        return std::fabs(std::log(hit(SidcoSelect{stages}, student, 1000)));
    };
    EXPECT_LT(miss(0), miss(1));   // six fits against one
}

TEST(Sidco, SelectsNothingOfZeros) { EXPECT_THAT(chosen(SidcoSelect{0}, std::vector<float>(100), 10), IsEmpty()); }

TEST(DgcLite, IsNearItsAimWhereALoopOfTenRoundsEnds) {
    const std::vector<float> gaussian = testing::drawn(million, 1, testing::normal_at);
    for (const double factor : {10.0, 100.0}) EXPECT_NEAR(hit(DgcLiteSelect{}, gaussian, factor), 1, 0.3) << factor;
}

// One sampled element of a hundred, nearly always a 1, is the threshold. 100 are more than 1.3 * 10: 1.3, which none
// reaches; fewer than 0.7 * 10: 0.91, all; 1.183: the twelve of 1.19, which is near enough.
TEST(DgcLite, RaisesAndLowersItsThresholdByItsBounds) {
    std::vector<float> values(100, 1);
    std::fill(values.begin() + 20, values.begin() + 32, 1.19f);
    std::fill(values.begin() + 40, values.begin() + 45, 1.18f);
    int found = 0;
    for (std::uint64_t key = 0; key < 10; ++key) {
        const Positions positions = chosen(DgcLiteSelect{}, values, 10, key);
        found += positions.size() == 12 && positions.front() == 20 && positions.back() == 31;
    }
    EXPECT_GE(found, 5);
}

TEST(DgcLite, MayEndFarFromItsAim) {
    // 0.01 n / factor = 10 samples set the threshold; 1.3 and 0.7 are coarse where the tail is steep. Over seeds, some
    // end outside of the bounds that the loop aims at.
    const std::vector<float> gaussian = testing::drawn(million, 1, testing::normal_at);
    double worst = 0;
    for (std::uint64_t key = 0; key < 12; ++key) {
        const double share = static_cast<double>(chosen(DgcLiteSelect{}, gaussian, 1000, key).size()) / 1000;
        worst = std::max(worst, std::fabs(std::log(share)));
    }
    EXPECT_GT(worst, std::log(1.3));
}

TEST(DgcLite, SendsAllOfATensorOfZeros) {
    EXPECT_EQ(chosen(DgcLiteSelect{}, std::vector<float>(500), 10).size(), 500u);
}

TEST(DgcSelection, TakesBetweenFourFifthsAndAllOfItsAim) {
    for (const auto at : {testing::normal_at, testing::laplace_at, testing::student_at, testing::log_normal_at})
        for (const double factor : {10.0, 100.0, 1000.0})
            for (const std::size_t n : {100u, 5000u, 300'000u}) {
                const std::vector<float> values = testing::drawn(n, n, at);
                const double aim = std::ceil(static_cast<double>(n) / factor);
                for (std::uint64_t key = 0; key < 5; ++key) {
                    const auto count = static_cast<double>(chosen(DgcSelect{}, values, factor, key).size());
                    EXPECT_GE(count, 0.8 * aim) << n << ' ' << factor;
                    EXPECT_LE(count, aim) << n << ' ' << factor;
                }
            }
}

TEST(DgcSelection, IsExactForTensorsBelowTwoFactors) {
    const std::vector<float> values = testing::drawn(199, 1, testing::normal_at);
    EXPECT_EQ(chosen(DgcSelect{}, values, 100), chosen(TopKSelect{}, values, 99.5));   // ceil(199/100) = 2
}

TEST(DgcSelection, StridesAsTheAuthor) {
    // n = 10^6, factor 1000: max(10^4, 2000) samples; ceil(100 / 32) * 32 + 1 = 129, of which there are 7751: too few;
    // less 8 four times: 97, 10309.
    EXPECT_EQ(sample_stride(million, 1000, 0.01), 97u);
    // n = 2001, factor 1000: 2000 samples; ceil(2001/2000/32) * 32 + 1 = 33, then 25, 17, 9, 1.
    EXPECT_EQ(sample_stride(2001, 1000, 0.01), 1u);
    EXPECT_EQ(sample_stride(2000, 1000, 0.01), 1u);
    // n = 94000, factor 500: 1000 samples; ceil(94 / 32) * 32 + 1 = 97, of which there are 969; 89 gives 1056.
    EXPECT_EQ(sample_stride(94'000, 500, 0.01), 89u);
    EXPECT_EQ(sample_stride(million, 1000, 1.0), 1u);
}

// A selection that is too large holds the K largest, which resampling finds; a raised threshold ends above K, and the
// first K of that are others.
TEST(DgcSelection, FindsTheLargestByResamplingAndNotByARaisedThreshold) {
    const std::vector<float> values = testing::drawn(300'000, 5, testing::log_normal_at);
    const Positions largest = chosen(TopKSelect{}, values, 1000);
    DgcSelect raising;
    raising.resample = false;
    int resampled = 0, raised = 0;
    for (std::uint64_t key = 0; key < 20; ++key) {
        resampled += chosen(DgcSelect{}, values, 1000, key) == largest;
        raised += chosen(raising, values, 1000, key) == largest;
        EXPECT_LE(chosen(raising, values, 1000, key).size(), 300u);
    }
    EXPECT_GE(resampled, 2);
    EXPECT_EQ(raised, 0);
}

TEST(DgcSelection, BeginsItsSampleAnywhere) {
    const std::vector<float> values = testing::drawn(300'000, 5, testing::log_normal_at);
    EXPECT_NE(chosen(DgcSelect{}, values, 100, 1), chosen(DgcSelect{}, values, 100, 2));
}

TEST(RandomKSelection, KeepsKOverNOfTheEnergyInExpectation) {
    const std::vector<float> values = testing::drawn(1000, 6, testing::normal_at);
    double mean = 0, squares = 0;
    constexpr int draws = 10'000;
    for (int i = 0; i < draws; ++i) {
        const double share =
            share_of_energy(values, chosen(RandomKSelect{}, values, 10, static_cast<std::uint64_t>(i)));
        mean += share / draws;
        squares += share * share / draws;
    }
    EXPECT_NEAR(mean, 0.1, 3 * std::sqrt((squares - mean * mean) / draws));
}

TEST(RandomKSelection, NeverDrawsTheLastElementAsPublished) {
    const std::vector<float> values(10, 1);
    int corrected = 0, published = 0;
    for (std::uint64_t key = 0; key < 200; ++key) {
        for (const bool replacement : {false, true}) {
            RandomKSelect select;
            select.replacement = replacement;
            corrected += chosen(select, values, 2, key).back() == 9;
            select.range = SelectionRange::published;
            published += chosen(select, values, 2, key).back() == 9;
        }
    }
    EXPECT_GT(corrected, 100);
    EXPECT_EQ(published, 0);
}

TEST(RandomKSelection, FailsForOneElementAsPublished) {
    RandomKSelect select;
    select.range = SelectionRange::published;
    EXPECT_THAT([&] { chosen(select, {1}, 2); },
                ::testing::ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("range: corrected")));
    EXPECT_EQ(chosen(RandomKSelect{}, {1}, 2), Positions{0});
}

TEST(RandomKSelection, RepeatsElementsOnlyWithReplacement) {
    const std::vector<float> values(100, 1);
    RandomKSelect select;
    EXPECT_EQ(chosen(select, values, 1.25).size(), 80u);
    select.replacement = true;
    const Positions drawn = chosen(select, values, 1.25);
    EXPECT_EQ(drawn.size(), 80u);
    EXPECT_NE(std::ranges::adjacent_find(drawn), drawn.end());
    EXPECT_TRUE(std::ranges::is_sorted(drawn));
}

TEST(SecondSelection, OfTopKIsTopKOfTheProductOfTheFactors) {
    const std::vector<float> values = testing::drawn(100'000, 8, testing::student_at);   // no ties
    ComputeCost operations;
    const SelectionInput input{values, 10, 1};
    const Positions first = select(Selector(TopKSelect{}), input, operations);
    EXPECT_EQ(select_again(TopKSelect{}, input, first, 100, operations), chosen(TopKSelect{}, values, 1000));
}

TEST(SecondSelection, IsPartOfTheFirst) {
    const std::vector<float> values = testing::drawn(20'000, 8, testing::normal_at);
    for_each_selector([&](const Selector& selector) {
        ComputeCost operations;
        const SelectionInput input{values, 8, 1};
        const Positions first = select(selector, input, operations);
        const Positions second = select_again(selector, input, first, 4, operations);
        EXPECT_TRUE(std::ranges::includes(first, second));
        EXPECT_LT(second.size(), first.size());
        EXPECT_FALSE(second.empty());
        EXPECT_EQ(select_again(selector, input, first, 1, operations), first);
        EXPECT_THAT(select_again(selector, input, {}, 4, operations), IsEmpty());
    });
}

TEST(DrawKey, IsCommonToTheRanksWherePositionsAreShared) {
    RandomKSelect own;
    own.lots = Lots::per_rank;
    EXPECT_EQ(random_key(RandomKSelect{}, 1, 2, 3, 0), random_key(RandomKSelect{}, 1, 2, 3, 1));
    EXPECT_NE(random_key(own, 1, 2, 3, 0), random_key(own, 1, 2, 3, 1));
    EXPECT_NE(random_key(own, 1, 2, 3, 0), random_key(own, 1, 2, 4, 0));
    EXPECT_NE(random_key(own, 1, 2, 3, 0), random_key(own, 1, 3, 3, 0));
    EXPECT_NE(random_key(own, 1, 2, 3, 0), random_key(own, 2, 2, 3, 0));
}

}   // namespace
}   // namespace oscar::selectors_test
