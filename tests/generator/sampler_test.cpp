#include "sim/generator/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/generator/support.hpp"

namespace oscar::sampler_test {
namespace {

using test::draw;
using test::plain;

double mean_of(const std::vector<float>& values, auto f) {
    double sum = 0;
    for (const float value : values) sum += f(static_cast<double>(value));
    return sum / static_cast<double>(values.size());
}

TEST(LayerSampler, DrawsNormalValuesOfTheScaleWhereNothingElseIsSet) {
    LayerParams p = plain();
    p.scale = 3;
    const auto s = draw({{200, 500}, p}, 1, 1, 2);   // 200,000 values: standard error 0.2 % of the mean
    EXPECT_NEAR(mean_of(s.values, [](double v) { return std::fabs(v); }), 3, 0.03);
    // E v^2 = (pi/2) (E|v|)^2 and E v^4 = 3 (E v^2)^2 of normal values
    const double square = mean_of(s.values, [](double v) { return v * v; });
    EXPECT_NEAR(square, 9 * std::acos(-1.0) / 2, 0.15);
    EXPECT_NEAR(mean_of(s.values, [](double v) { return v * v * v * v; }) / (square * square), 3, 0.1);
    EXPECT_NEAR(mean_of(s.values, [](double v) { return v; }), 0, 0.03);
}

TEST(LayerSampler, KeepsTheMeanMagnitudeWhateverTheSigmas) {
    LayerParams p = plain();
    p.element_sigma = p.row_sigma = 0.7;
    p.column_spread = 0.4;
    EXPECT_NEAR(mean_of(draw({{300, 400}, p}, 1, 1, 2).values, [](double v) { return std::fabs(v); }), 1, 0.05);
}

TEST(LayerSampler, IsAFunctionOfSeedIterationRankAndElement) {
    LayerParams p;
    p.silent_rows = 0.2;
    p.silent_elements = 0.3;
    const LayerModel model{{20, 30, 3}, p};
    const auto a = draw(model, 7, 3, 2), b = draw(model, 7, 3, 2), other = draw(model, 8, 3, 2);
    EXPECT_EQ(a.values, b.values);
    EXPECT_NE(a.values, other.values);
    LayerSampler sampler(model, 7, 0), elsewhere(model, 7, 1);   // backwards, in parts of 7 elements
    std::vector<float> part(7), there(7);
    for (std::uint32_t t = 3; t-- > 0;)
        for (std::uint64_t first = 0; first + 7 <= 1800; first += 7)
            for (std::uint32_t r = 2; r-- > 0;) {
                sampler.share(t, first, 7);
                sampler.fill(r, part);
                const auto at = a.values.begin() + static_cast<std::ptrdiff_t>((t * 2 + r) * 1800 + first);
                ASSERT_EQ(part, std::vector<float>(at, at + 7)) << t << " " << first << " " << r;
            }
    sampler.share(0, 0, 7);
    sampler.fill(0, part);
    elsewhere.share(0, 0, 7);
    elsewhere.fill(0, there);
    EXPECT_NE(part, there) << "layers draw apart";
}

TEST(LayerSampler, CorrelatesRanksAsSet) {
    LayerParams p = plain();
    p.rank_correlation = 0.4;
    const auto s = draw({{100000}, p}, 1, 1, 2);
    double product = 0, square = 0;
    for (std::size_t i = 0; i < 100000; ++i) {
        product += static_cast<double>(s.values[i]) * static_cast<double>(s.values[100000 + i]);
        square += static_cast<double>(s.values[i]) * static_cast<double>(s.values[i]);
    }
    EXPECT_NEAR(product / square, 0.4, 0.02);
}

TEST(LayerSampler, SilencesWholeRowsColumnsAndElements) {
    LayerParams p = plain();
    p.silent_rows = 0.25;
    p.silent_columns = 0.5;
    p.silent_elements = 0.2;
    p.row_agreement = p.column_agreement = 1;   // exactly the lowest quarter and half
    const auto s = draw({{40, 60, 9}, p}, 1, 1, 1);
    std::size_t rows = 0, zeros = 0;
    for (std::size_t r = 0; r < 40; ++r) {
        const auto at = s.values.begin() + static_cast<std::ptrdiff_t>(r * 540);
        rows += std::all_of(at, at + 540, [](float v) { return v == 0; });
    }
    EXPECT_EQ(rows, 10U);
    for (const float v : s.values) zeros += v == 0;
    EXPECT_NEAR(static_cast<double>(zeros) / 21600, 1 - 0.75 * 0.5 * 0.8, 0.02);
    p.silent_elements = 1;
    for (const float v : draw({{5}, p}, 1, 1, 1).values) EXPECT_EQ(v, 0);
}

TEST(LayerSampler, RenewsTheSetShareOfItsSupportInEachIteration) {
    LayerParams p = plain();
    p.silent_elements = 0.5;
    p.element_agreement = 1;
    for (const double churn : {0.0, 0.1, 0.5}) {
        p.churn = churn;
        const auto s = draw({{50000}, p}, 1, 3, 1);
        for (const std::size_t lag : {1U, 2U}) {
            double changed = 0;
            for (std::size_t i = 0; i < 50000; ++i) changed += (s.values[i] == 0) != (s.values[lag * 50000 + i] == 0);
            // what is renewed is silent with probability 1/2 again
            EXPECT_NEAR(changed / 50000, std::min(1.0, churn * static_cast<double>(lag)) / 2, 0.01) << churn;
        }
    }
}

TEST(LayerSampler, LetsTheScaleDecay) {
    LayerParams p = plain();
    p.decay = 0.5;
    const auto s = draw({{50000}, p}, 1, 3, 1);
    const auto mean = [&](std::size_t t) {
        const auto at = s.values.begin() + static_cast<std::ptrdiff_t>(t * 50000);
        return mean_of({at, at + 50000}, [](double v) { return std::fabs(v); });
    };
    EXPECT_NEAR(mean(1) / mean(0), std::exp(-0.5), 0.01);
    EXPECT_NEAR(mean(2) / mean(0), std::exp(-1.0), 0.01);
}

TEST(LayerSampler, FollowsTheCourseOfTheScaleAndBeginsItAgain) {
    LayerParams p = plain();
    p.course = {0, 1, 2, 3};   // two iterations of two ranks
    p.course_ranks = 2;
    p.decay = 0.5;
    const auto s = draw({{50000}, p}, 1, 3, 3);
    const auto ln = [&](std::size_t t, std::size_t r) {
        const auto at = s.values.begin() + static_cast<std::ptrdiff_t>((t * 3 + r) * 50000);
        return std::log(mean_of({at, at + 50000}, [](double v) { return std::fabs(v); }));
    };
    EXPECT_NEAR(ln(0, 1) - ln(0, 0), 1, 0.02);
    EXPECT_NEAR(ln(1, 0) - ln(0, 0), 2 - 0.5, 0.02);
    EXPECT_NEAR(ln(1, 1) - ln(0, 0), 3 - 0.5, 0.02);
    EXPECT_NEAR(ln(2, 0) - ln(0, 0), 0 - 1.0, 0.02);   // again, but for the decay
    EXPECT_NEAR(ln(0, 2) - ln(0, 0), 2, 0.02);         // rank 2 has what rank 0 has one iteration later
}

TEST(FindGeneratorProblem, WantsACourseOfWholeIterations) {
    LayerParams p;
    p.course = {0, 0, 0};
    p.course_ranks = 2;
    EXPECT_NE(find_generator_problem(p), "");
    p.course_ranks = 3;
    EXPECT_EQ(find_generator_problem(p), "");
    p.course[1] = 41;
    EXPECT_NE(find_generator_problem(p), "");
}

TEST(LayerSampler, HasTheMagnitudesThatQuantilesSay) {
    LayerParams p;
    p.iteration_spread = p.rank_spread = 0;
    p.scale = 1;
    for (const double share : magnitude_shares) p.magnitudes.push_back(-8 + 8 * share);   // log2 uniform in -8 .. 0
    std::vector<float> values = draw({{400, 500}, p}, 1, 1, 1).values;
    for (float& v : values) v = std::fabs(v);
    std::ranges::sort(values);
    EXPECT_LE(values.back(), 1);
    EXPECT_NEAR(std::log2(values[100000]), -4, 0.15);
    EXPECT_NEAR(std::log2(values[20000]), -7.2, 0.15);
    EXPECT_NEAR(std::log2(values[180000]), -0.8, 0.15);
}

}   // namespace
}   // namespace oscar::sampler_test
