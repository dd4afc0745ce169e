#include "models/compressor/sketch/sketched_sgd.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "tests/compressor/distributions.hpp"
#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::sketched_sgd_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_gradients;
using testing::Ranks;
using testing::step_of;

constexpr std::uint32_t ranks = 3;
constexpr std::uint64_t elements = 2000;

/// Twenty cells for each element, so that the largest of the sum are among the candidates.
SketchedSgdParams wide(double factor, double momentum = 0) {
    SketchedSgdParams params;
    params.ratio = 0.05;
    params.factor = factor;
    params.momentum = momentum;
    return params;
}

std::unique_ptr<Compressor> made(const SketchedSgdParams& params, std::uint32_t of = ranks) {
    return make_compressor(params, of, 1);
}

TEST(SketchedSgd, DeliversTheLargestOfTheSumWithTheirExactValues) {
    const Ranks gradients = random_gradients(ranks, elements, 1);
    const CompressionResult step = step_of(*made(wide(100)), gradients);
    const std::vector<float> mean = mean_of(views(gradients));
    const auto largest = largest_positions(mean, elements / 100);
    for (std::uint32_t i = 0; i < elements; ++i)
        EXPECT_EQ(step.mean[i], std::ranges::binary_search(largest, i) ? mean[i] : 0) << i;
}

TEST(SketchedSgd, AppliesNoEstimateHoweverSmallTheSketch) {
    SketchedSgdParams params = wide(50);
    params.ratio = 20;   // estimates are far off
    const Ranks gradients = random_gradients(ranks, elements, 2);
    const CompressionResult step = step_of(*made(params), gradients);
    const std::vector<float> mean = mean_of(views(gradients));
    std::uint64_t delivered = 0;
    for (std::uint32_t i = 0; i < elements; ++i) {
        if (step.mean[i] == 0) continue;
        EXPECT_EQ(step.mean[i], mean[i]);
        ++delivered;
    }
    EXPECT_EQ(delivered, elements / 50);
}

TEST(SketchedSgd, FindsWhatIsLargeInTheSumAloneAndPassesOverWhatCancels) {
    Ranks gradients(2, std::vector<float>(elements));
    gradients[0][7] = 100, gradients[1][7] = -100;
    gradients[0][11] = gradients[1][11] = 1;
    SketchedSgdParams params = wide(elements);
    params.candidates = 1;
    const CompressionResult step = step_of(*made(params, 2), gradients);
    EXPECT_EQ(step.mean[11], 1);
    EXPECT_EQ(step.mean[7], 0);
}

TEST(SketchedSgd, KeepsWhatItDoesNotDeliver) {
    const auto compressor = made(wide(10));
    Ranks given(ranks, std::vector<float>(elements)), sent = given;
    CompressionResult last;
    for (std::uint64_t s = 0; s < 3; ++s) {
        const Ranks gradients = random_gradients(ranks, elements, s);
        last = step_of(*compressor, gradients);
        for (std::uint32_t r = 0; r < ranks; ++r)
            for (std::uint64_t i = 0; i < elements; ++i) given[r][i] += gradients[r][i], sent[r][i] += last.sent[r][i];
    }
    // A last step that delivers all: what was sent is then all that was given.
    const Ranks zeros(ranks, std::vector<float>(elements));
    for (std::uint64_t s = 0; s < 40; ++s) {
        const CompressionResult step = step_of(*compressor, zeros);
        for (std::uint32_t r = 0; r < ranks; ++r)
            for (std::uint64_t i = 0; i < elements; ++i) sent[r][i] += step.sent[r][i];
    }
    for (std::uint32_t r = 0; r < ranks; ++r)
        for (std::uint64_t i = 0; i < elements; ++i)
            EXPECT_NEAR(sent[r][i], given[r][i], 1e-6 * (1 + std::abs(given[r][i])));   // order of sums
}

TEST(SketchedSgd, IsTheMeanWhereAllIsDelivered) {
    const auto compressor = made(wide(1, 0.9));   // what is delivered leaves the velocity
    for (std::uint64_t s = 0; s < 3; ++s) {
        const Ranks gradients = random_gradients(ranks, elements, s);
        EXPECT_EQ(step_of(*compressor, gradients).mean, mean_of(views(gradients)));
    }
}

TEST(SketchedSgd, CarriesTheVelocityOfWhatWasNotDelivered) {
    SketchedSgdParams params = wide(2, 0.5);
    Ranks gradients(1, {4, 1});
    params.candidates = 1;
    const auto compressor = made(params, 1);
    EXPECT_THAT(step_of(*compressor, gradients).mean, ElementsAre(4, 0));    // u = v = (4, 1)
    EXPECT_THAT(step_of(*compressor, {{0, 0}}).mean, ElementsAre(0, 1.5));   // u = (0, 0.5), v = (0, 1.5)
    EXPECT_THAT(step_of(*compressor, {{0, 0}}).mean, Each(0));
    EXPECT_TRUE(compressor->has_momentum());
    EXPECT_FALSE(made(wide(2))->has_momentum());
}

TEST(SketchedSgd, SendsASketchAndThenTheValuesOfTheCandidates) {
    SketchedSgdParams params;
    params.rows = 5, params.ratio = 10, params.factor = 100, params.candidates = 4;
    const CompressionResult step = step_of(*made(params), random_gradients(ranks, elements, 3));
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].floats, elements / 10);
    EXPECT_EQ(step.exchanges[1].floats, 4 * elements / 100);
    EXPECT_THAT(step.exchanges[1].after, ElementsAre(0));
    EXPECT_EQ(step.exchanges[0].encoding.hashes, 2 * 5 * elements);
    EXPECT_EQ(step.exchanges[1].encoding.comparisons, 5 * elements + elements);
}

TEST(SketchedSgd, StartsAnewAfterAReset) {
    const auto compressor = made(wide(10, 0.9));
    const Ranks gradients = random_gradients(ranks, elements, 4);
    const CompressionResult first = step_of(*compressor, gradients);
    EXPECT_NE(step_of(*compressor, gradients).mean, first.mean);
    compressor->reset();
    EXPECT_EQ(step_of(*compressor, gradients).mean, first.mean);
}

TEST(SketchedSgd, RefusesGradientsThatItCannotSketch) {
    const auto compressor = made({});
    EXPECT_THROW(step_of(*compressor, random_gradients(ranks, 50, 1)), std::invalid_argument);   // half a column
    step_of(*compressor, random_gradients(ranks, elements, 1));
    try {
        step_of(*compressor, random_gradients(ranks, elements + 1, 1));
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), HasSubstr("the length of the gradients differs"));
    }
}

}   // namespace
}   // namespace oscar::sketched_sgd_test
