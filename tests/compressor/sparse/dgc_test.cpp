// Momentum correction against the optimisers that it replaces.
#include "models/compressor/sparse/dgc.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/sparse/sparsifier.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::dgc_test {
namespace {

using ::testing::ElementsAre;
using testing::random_gradients;

constexpr std::uint32_t ranks = 2;
constexpr std::uint64_t elements = 500;
const std::vector<TensorShape> tensors = testing::one_tensor(elements);

DgcParams of_factor(double factor) {
    DgcParams params;
    params.factor = factor;
    return params;
}

TEST(Dgc, ThatSendsAllWithMaskingIsPlainSgd) {
    const auto compressor = make_compressor(of_factor(1), ranks, 1);
    for (std::uint64_t s = 0; s < 4; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        EXPECT_EQ(compressor->step(views(gradients), tensors).mean, mean_of(views(gradients)));
    }
}

TEST(Dgc, ThatSendsAllWithoutMaskingIsMomentumSgd) {
    for (const bool nesterov : {false, true}) {
        DgcParams params = of_factor(1);
        params.masking = false;
        params.nesterov = nesterov;
        const auto compressor = make_compressor(params, ranks, 1);
        std::vector<double> buffer(elements);
        for (std::uint64_t s = 0; s < 5; ++s) {
            const auto gradients = random_gradients(ranks, elements, s);
            const CompressionResult step = compressor->step(views(gradients), tensors);
            for (std::size_t i = 0; i < elements; ++i) {
                const double g = (static_cast<double>(gradients[0][i]) + static_cast<double>(gradients[1][i])) / 2;
                buffer[i] = 0.9 * buffer[i] + g;   // of the optimiser of PyTorch: Nesterov's step is g + m * buffer
                const double expected = nesterov ? g + 0.9 * buffer[i] : buffer[i];
                EXPECT_NEAR(step.mean[i], expected, 2e-6 * (std::fabs(expected) + std::fabs(g) + std::fabs(buffer[i])));
            }
        }
    }
}

// Three elements of constant gradients 8, 4, 1 and one sent each step. With m = 0 the sums 8, 8+4.. compete; what is
// delivered after T steps is sum over j <= T, s <= j of m^(j-s) g: the velocities accumulated since the last time.
TEST(Dgc, DeliversTheVelocitiesSinceAnElementWasLastSent) {
    DgcParams params = of_factor(3);
    params.momentum = 0.5;
    const auto compressor = make_compressor(params, 1, 1);
    const std::vector<float> gradient{8, 4, 1};
    const std::vector<TensorShape> one{{0, 3, 3}};
    std::vector<int> waited(3);
    std::vector<int> sent(3);
    for (int s = 0; s < 30; ++s) {
        const CompressionResult step = compressor->step(std::vector{std::span<const float>(gradient)}, one);
        int count = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            ++waited[i];
            if (step.mean[i] == 0) continue;
            double expected = 0;
            for (int j = 1; j <= waited[i]; ++j)
                for (int t = 1; t <= j; ++t) expected += std::pow(0.5, j - t) * static_cast<double>(gradient[i]);
            EXPECT_NEAR(step.mean[i], expected, 1e-5 * expected) << s << ' ' << i;
            waited[i] = 0;
            ++sent[i];
            ++count;
        }
        EXPECT_EQ(count, 1);
    }
    EXPECT_THAT(sent, ::testing::Each(::testing::Gt(1)));   // even the smallest had its turn
}

TEST(VelocityMemory, ForgetsWhatWasSentAndWithMaskingItsVelocity) {
    for (const bool masking : {true, false}) {
        VelocityMemory memory;
        memory.resize(3);
        memory.accumulate(1, std::vector<float>{2, 4}, {0.5, false});
        memory.clear(1, {1}, masking);
        EXPECT_THAT(memory.unsent(), ElementsAre(0, 2, 0));
        EXPECT_THAT(memory.velocity(), ElementsAre(0, 2, masking ? 0 : 4));
    }
}

TEST(Dgc, WithoutMomentumIsItsSelectionWithErrorFeedback) {
    DgcParams params = of_factor(10);
    params.momentum = 0;
    const auto compressor = make_compressor(params, ranks, 1);
    ErrorFed plain(make_sparsifier(DgcSelect{}, 10, {}, ranks, 1));
    for (std::uint64_t s = 0; s < 4; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        EXPECT_EQ(compressor->step(views(gradients), tensors).mean, plain.step(views(gradients), tensors).mean);
    }
}

TEST(Dgc, AveragesVectorsBeforeTheirMomentum) {
    DgcParams params = of_factor(100);
    const std::vector<TensorShape> matrix_and_vector{{0, 400, 20}, {400, 500, 0}};
    const auto compressor = make_compressor(params, ranks, 1);
    std::vector<float> velocity(100);
    for (std::uint64_t s = 0; s < 3; ++s) {
        const auto gradients = random_gradients(ranks, elements, s);
        const CompressionResult step = compressor->step(views(gradients), matrix_and_vector);
        const std::vector<float> mean = mean_of(views(gradients));
        for (std::size_t i = 0; i < 100; ++i) {
            velocity[i] = 0.9f * velocity[i] + mean[400 + i];
            EXPECT_EQ(step.mean[400 + i], velocity[i]);
        }
        ASSERT_EQ(step.exchanges.size(), 3u);   // sizes, values and indices, gradient
        EXPECT_EQ(step.exchanges[2].carrier, CollectiveKind::all_reduce);
        EXPECT_EQ(step.exchanges[2].padded, 400u);
    }
    params.vectors = VectorTensors::compressed;
    const CompressionResult step =
        make_compressor(params, ranks, 1)->step(views(random_gradients(ranks, elements, 1)), matrix_and_vector);
    EXPECT_EQ(step.exchanges.size(), 4u);
    EXPECT_LE(step.exchanges[3].padded, 8u);   // one of a hundred
}

TEST(Dgc, OfVectorsAloneSaysNothingElse) {
    const auto compressor = make_compressor(of_factor(100), ranks, 1);
    const CompressionResult step =
        compressor->step(views(random_gradients(ranks, 10, 1)), std::vector<TensorShape>{{0, 10, 0}});
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].what, "gradient");
}

TEST(Dgc, ClipsEachRanksGradientByTheRootOfTheRanks) {
    DgcParams params = of_factor(1);
    params.clip_norm = 2;
    const auto compressor = make_compressor(params, 4, 1);
    // Norms 5 and 0.5 against 2 / sqrt(4) = 1: the first is scaled by 1/5, the second stays.
    const std::vector<std::vector<float>> gradients{{3, 4}, {0.5f, 0}, {0, 0}, {0, 0}};
    const CompressionResult step = compressor->step(views(gradients), std::vector<TensorShape>{{0, 2, 2}});
    EXPECT_THAT(step.sent[0], ElementsAre(::testing::FloatEq(0.6f), ::testing::FloatEq(0.8f)));
    EXPECT_THAT(step.sent[1], ElementsAre(0.5f, 0));
}

TEST(Dgc, WarmsUpByTheRootsOfItsFactor) {
    DgcParams params = of_factor(1000);
    params.warmup_epochs = 5;
    // 1000^(1/6) = 3.162 = 1/0.316, and so on to 1000^(5/6) = 316.2.
    for (const auto& [epoch, ratio] :
         {std::pair{0u, 0.316}, {1u, 0.1}, {2u, 0.0316}, {3u, 0.01}, {4u, 0.00316}, {5u, 0.001}, {9u, 0.001}})
        EXPECT_NEAR(1 / warmup_factor(params, epoch), ratio, 0.002 * ratio);
    const auto compressor = make_compressor(params, ranks, 1);
    const auto gradients = random_gradients(ranks, elements, 1);
    std::vector<std::uint64_t> floats;
    for (int epoch = 0; epoch < 6; ++epoch) {
        compressor->reset();
        for (int e = 0; e < epoch; ++e) compressor->end_epoch(0.1);
        floats.push_back(compressor->step(views(gradients), tensors).exchanges[1].floats);
    }
    EXPECT_TRUE(std::ranges::is_sorted(floats, std::greater{}));
    EXPECT_GT(floats.front(), 100u);   // of 500 / 3.16 = 158
    EXPECT_EQ(floats.back(), 1u);
}

TEST(Dgc, RefusesAnotherLengthThanBefore) {
    const auto compressor = make_compressor(of_factor(10), ranks, 1);
    compressor->step(views(random_gradients(ranks, elements, 1)), tensors);
    EXPECT_THROW(compressor->step(views(random_gradients(ranks, 10, 1)), testing::one_tensor(10)),
                 std::invalid_argument);
}

}   // namespace
}   // namespace oscar::dgc_test
