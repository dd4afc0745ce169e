#include "sim/generator/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/generator/support.hpp"

namespace oscar::fit_test {
namespace {

using test::draw;
using test::plain;

TEST(FitLayer, FindsWhatTheSamplesWereDrawnWith) {
    LayerParams p = plain();
    p.scale = 0.02;
    p.row_sigma = 0.6, p.row_spread = 0.4;
    p.column_sigma = 0.5, p.column_spread = 0.3;
    p.element_sigma = 0.3;
    p.rank_correlation = 0.2;
    p.silent_rows = 0.3, p.row_agreement = 0.7;
    p.silent_columns = 0.2, p.column_agreement = 0.9;
    p.silent_elements = 0.1, p.element_agreement = 0.5;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        const LayerParams q = fit_layer(draw({{300, 300}, p}, seed, 4, 6));
        EXPECT_NEAR(q.row_sigma, 0.6, 0.1);
        EXPECT_NEAR(q.row_spread, 0.4, 0.1);
        EXPECT_NEAR(q.column_sigma, 0.5, 0.1);
        EXPECT_NEAR(q.column_spread, 0.3, 0.1);
        EXPECT_NEAR(q.rank_correlation, 0.2, 0.02);
        EXPECT_NEAR(q.silent_rows, 0.3, 0.03);
        EXPECT_NEAR(q.row_agreement, 0.7, 0.1);
        EXPECT_NEAR(q.silent_columns, 0.2, 0.03);
        EXPECT_NEAR(q.column_agreement, 0.9, 0.1);
        EXPECT_NEAR(q.silent_elements, 0.1, 0.01);
        EXPECT_NEAR(q.element_agreement, 0.5, 0.05);
        EXPECT_NEAR(q.scale, 0.02, 0.002);
        EXPECT_LT(q.churn, 0.05);
        EXPECT_LT(q.rank_spread, 0.1);
    }
}

TEST(FitLayer, FindsTheCourseOfTheScale) {
    LayerParams p = plain();
    p.decay = 0.3;
    p.rank_spread = 0.2;
    const LayerParams q = fit_layer(draw({{20000}, p}, 1, 6, 32));
    EXPECT_NEAR(q.decay, 0.3, 0.03);
    EXPECT_NEAR(q.rank_spread, 0.2, 0.03);
    ASSERT_EQ(q.course.size(), 6u * 32);
    EXPECT_EQ(q.course_ranks, 32u);
    double mean = 0;   // of what the straight line leaves
    for (const double ln : q.course) mean += ln / 192;
    EXPECT_NEAR(mean, 0, 0.02);
    p.decay = 0;
    p.iteration_spread = 0.3;
    EXPECT_NEAR(fit_layer(draw({{2000}, p}, 1, 64, 2)).iteration_spread, 0.3, 0.08);
}

TEST(FitLayer, FindsChurn) {
    LayerParams p = plain();
    p.silent_elements = 0.4;
    p.element_agreement = 0.9;
    p.element_sigma = 0.5;
    for (const double churn : {0.0, 0.1, 0.3}) {
        p.churn = churn;
        EXPECT_NEAR(fit_layer(draw({{50000}, p}, 1, 4, 4)).churn, churn, 0.08) << churn;
    }
}

TEST(FitLayer, TakesLayersThatSayLittle) {
    const LayerParams zeros = fit_layer({2, 2, grid_of({3}), std::vector<float>(12)});
    EXPECT_EQ(zeros.silent_elements, 1);
    const LayerParams one = fit_layer({1, 1, grid_of({1}), {-0.5F}});
    EXPECT_FLOAT_EQ(static_cast<float>(one.scale), 0.5F);
    EXPECT_EQ(find_generator_problem(one), "");
    LayerSamples mixed{2, 2, grid_of({2, 2}), {0, 0, 0, 0, 1, 2, 3, 4, 1, 0, 0, 0, 0, 0, 0, 1}};
    const LayerParams q = fit_layer(mixed);
    EXPECT_EQ(find_generator_problem(q), "");
    for (const float v : draw({{2, 2}, q}, 1, 2, 2).values) EXPECT_TRUE(std::isfinite(v));
}

}   // namespace
}   // namespace oscar::fit_test
