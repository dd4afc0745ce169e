// Points drawn from a grid: distinct, in its order, repeatable, and spread as their kind says.
#include "sim/sweep/grid/sample.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace oscar::sample_test {
namespace {

using ::testing::ElementsAreArray;

/// Axes a, b, … of that many values each: 0, 1, …
std::vector<Axis> axes_of(const std::vector<std::uint32_t>& sizes) {
    std::vector<Axis> axes;
    for (const std::uint32_t size : sizes) {
        const std::string key(1, static_cast<char>('a' + axes.size()));
        Axis& axis = axes.emplace_back();
        for (std::uint32_t i = 0; i < size; ++i) {
            ConfigNode value;
            value.form = ConfigNode::Form::scalar;
            value.text = std::to_string(i);
            axis.push_back({{key, value}});
        }
    }
    return axes;
}

std::vector<std::string> texts(const std::vector<Settings>& points) {
    std::vector<std::string> result;
    for (const Settings& point : points) result.push_back(to_text(point));
    return result;
}

SampleParams drawn(SampleKind kind, std::uint32_t points, std::uint64_t seed = 1) { return {kind, points, seed}; }

class Sample : public ::testing::TestWithParam<SampleKind> {};

TEST_P(Sample, HasDistinctPointsOfTheGridInItsOrder) {
    const auto axes = axes_of({7, 5, 9});
    const std::vector<std::string> whole = texts(grid(axes));
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::vector<std::string> points = texts(sample(axes, drawn(GetParam(), 40, seed)).value());
        EXPECT_EQ(std::set(points.begin(), points.end()).size(), 40u);
        std::vector<std::string> in_order;
        std::ranges::copy_if(whole, std::back_inserter(in_order),
                             [&](const std::string& text) { return std::ranges::find(points, text) != points.end(); });
        EXPECT_THAT(points, ElementsAreArray(in_order));
    }
}

TEST_P(Sample, IsAFunctionOfItsSeed) {
    const auto axes = axes_of({30, 30});
    const auto with = [&](std::uint64_t seed) { return texts(sample(axes, drawn(GetParam(), 12, seed)).value()); };
    EXPECT_EQ(with(3), with(3));
    EXPECT_NE(with(3), with(4));
}

TEST_P(Sample, DrawsFromAGridThatNobodyCouldList) {
    const auto axes = axes_of({1000, 1000, 1000, 1000});
    EXPECT_EQ(sample(axes, drawn(GetParam(), 20)).value().size(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Sample, ::testing::Values(SampleKind::random, SampleKind::latin_hypercube),
                         [](const auto& kind) { return std::string(to_text(kind.param)); });

TEST(RandomSample, OfAsManyPointsAsTheGridHasIsTheGrid) {
    const auto axes = axes_of({4, 3});
    EXPECT_EQ(texts(sample(axes, drawn(SampleKind::random, 12)).value()), texts(grid(axes)));
}

/// Each of 6 points is as likely: 600 draws of 2 have each about 200 times (standard deviation 11.5).
TEST(RandomSample, TakesEachPointAsOften) {
    const auto axes = axes_of({2, 3});
    std::map<std::string, int> taken;
    for (std::uint64_t seed = 0; seed < 600; ++seed)
        for (const std::string& text : texts(sample(axes, drawn(SampleKind::random, 2, seed)).value())) ++taken[text];
    EXPECT_EQ(taken.size(), 6u);
    for (const auto& [text, times] : taken) EXPECT_NEAR(times, 200, 50) << text;
}

TEST(LatinHypercube, HasEveryValueOfEveryAxisAsOften) {
    const auto axes = axes_of({10, 5, 20});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::map<std::string, int> used;
        const auto points = sample(axes, drawn(SampleKind::latin_hypercube, 20, seed));
        for (const Settings& point : points.value())
            for (const Setting& setting : point) ++used[setting.key + setting.value.text];
        for (const auto& [value, times] : used)
            EXPECT_EQ(times, value[0] == 'a' ? 2 : value[0] == 'b' ? 4 : 1) << value;
        EXPECT_EQ(used.size(), 35u);
    }
}

/// A grid of one point has no two.
TEST(LatinHypercube, SaysWhereItFindsNoDistinctPoints) {
    EXPECT_FALSE(sample(axes_of({1, 1}), drawn(SampleKind::latin_hypercube, 2)).has_value());
}

TEST(Grid, CountsItsPointsUpTo2To62) {
    EXPECT_EQ(points_of(axes_of({7, 5, 9})), 315u);
    EXPECT_EQ(points_of({}), 1u);
    EXPECT_FALSE(points_of(axes_of(std::vector<std::uint32_t>(16, 1000))).has_value());
}

}   // namespace
}   // namespace oscar::sample_test
