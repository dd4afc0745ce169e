// What holds for every quantiser of the list, as it is by default.
#include <gtest/gtest.h>

#include <limits>

#include "models/compress/error_feedback.hpp"
#include "models/compress/lossy/compressors.hpp"
#include "models/compress/lossy/input.hpp"
#include "tests/lossy/gradients.hpp"

namespace oscar {
namespace {

using namespace lossy_test;

constexpr std::uint32_t ranks = 3;
// A matrix of 20 x 30, a vector, a matrix of 7 x 11.
const std::vector<TensorShape> tensors{{0, 600, 20}, {600, 650, 0}, {650, 727, 7}};
constexpr std::size_t elements = 727;

/// f(name, compressor) for each kind.
template <class F>
void for_each_compressor(F&& f) {
    for_each_kind(quantised_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(testing::Message() << kind.name);
        f(*make_compressor(P{}, ranks, 11));
    });
}

TEST(Quantisers, GiveZerosForZeros) {
    for_each_compressor([](Compressor& compressor) {
        const std::vector gradients(ranks, Gradient(elements));
        for (int i = 0; i < 3; ++i) {
            const LossyStep step = compressor.step(views(gradients), tensors);
            EXPECT_EQ(step.mean, Gradient(elements));
            EXPECT_EQ(step.sent, gradients);
        }
    });
}

TEST(Quantisers, RepeatThemselvesAfterAReset) {
    for_each_compressor([](Compressor& compressor) {
        const auto run = [&] {
            std::vector<Gradient> means;
            for (std::uint64_t i = 0; i < 3; ++i)
                means.push_back(compressor.step(views(normal_of_ranks(ranks, elements, i)), tensors).mean);
            return means;
        };
        const auto first = run();
        compressor.reset();
        EXPECT_EQ(run(), first);
    });
}

TEST(Quantisers, SayOfEveryRankAsMuchAsTheyAreLong) {
    for_each_compressor([](Compressor& compressor) {
        const auto gradients = normal_of_ranks(ranks, elements, 5);
        const LossyStep step = compressor.step(views(gradients), tensors);
        EXPECT_EQ(step.mean.size(), elements);
        ASSERT_EQ(step.sent.size(), ranks);
        for (const Gradient& sent : step.sent) EXPECT_EQ(sent.size(), elements);
        ASSERT_FALSE(step.exchanges.empty());
        for (std::size_t i = 0; i < step.exchanges.size(); ++i) {
            const Exchange& exchange = step.exchanges[i];
            ASSERT_EQ(exchange.payload.size(), ranks);
            for (const std::uint64_t bytes : exchange.payload) EXPECT_LE(bytes, exchange.padded);
            for (const std::uint32_t before : exchange.after) EXPECT_LT(before, i);
        }
        EXPECT_GT(step.operations.elements, 0u);
    });
}

TEST(Quantisers, LoseNothingInTheLongRunWithErrorFeedback) {
    // sum of gradients == sum of what was sent + residual, but for fp32 rounding of values of a few units.
    for_each_compressor([](Compressor& compressor) {
        if (!compressor.takes_error_feedback()) return;
        std::vector<ErrorFeedback> feedback(ranks);
        std::vector<std::vector<double>> balance(ranks, std::vector<double>(elements));
        for (std::uint64_t i = 0; i < 4; ++i) {
            std::vector<Gradient> corrected;
            const auto gradients = normal_of_ranks(ranks, elements, 100 + i);
            for (std::size_t r = 0; r < ranks; ++r) corrected.push_back(feedback[r].corrected(gradients[r]));
            const LossyStep step = compressor.step(views(corrected), tensors);
            for (std::size_t r = 0; r < ranks; ++r) {
                feedback[r].keep(corrected[r], step.sent[r]);
                for (std::size_t j = 0; j < elements; ++j)
                    balance[r][j] += static_cast<double>(gradients[r][j]) - static_cast<double>(step.sent[r][j]);
            }
        }
        for (std::size_t r = 0; r < ranks; ++r)
            for (std::size_t j = 0; j < elements; ++j)
                ASSERT_NEAR(balance[r][j], static_cast<double>(feedback[r].residual()[j]), 1e-4);
    });
}

TEST(Quantisers, GiveTheMeanOfWhatEachRankSaysWhereTheyTakeErrorFeedback) {
    for_each_compressor([](Compressor& compressor) {
        if (!compressor.takes_error_feedback()) return;
        const LossyStep step = compressor.step(views(normal_of_ranks(ranks, elements, 6)), tensors);
        const Gradient mean = mean_of(views(step.sent));
        for (std::size_t i = 0; i < elements; ++i) ASSERT_NEAR(step.mean[i], mean[i], 1e-4);
    });
}

TEST(Quantisers, RefuseNaNInfinityMissingRanksAndUnequalLengths) {
    for_each_compressor([](Compressor& compressor) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            auto gradients = normal_of_ranks(ranks, elements, 1);
            gradients[2][3] = bad;
            EXPECT_THROW(compressor.step(views(gradients), tensors), std::invalid_argument);
        }
        auto unequal = normal_of_ranks(ranks, elements, 1);
        unequal[1].pop_back();
        EXPECT_THROW(compressor.step(views(unequal), tensors), std::invalid_argument);
        EXPECT_THROW(compressor.step(views(normal_of_ranks(2, elements, 1)), tensors), std::invalid_argument);
        EXPECT_THROW(compressor.step(views(normal_of_ranks(ranks, 700, 1)), tensors), std::invalid_argument);
    });
}

}   // namespace
}   // namespace oscar
