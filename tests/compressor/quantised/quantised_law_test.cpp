// What holds for every quantiser, by default and with its switches set otherwise.
#include <gtest/gtest.h>

#include <string>

#include "models/compressor/base/input.hpp"
#include "models/compressor/compressors.hpp"
#include "models/quantise/error_feedback.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::quantised_law_test {
namespace {

using namespace lossy_test;

constexpr std::uint32_t ranks = 3;
// A vector and two matrices, which PowerSGD's four columns make smaller.
const std::vector<TensorShape> tensors{{0, 50, 0}, {50, 650, 20}, {650, 1250, 30}};
constexpr std::size_t elements = 1250;

struct Variant {
    std::string name;
    LossyKind kind;
};

template <class P, class T>
P set(T P::*member, T value) {
    P params;
    params.*member = value;
    return params;
}

std::vector<Variant> variants() {
    std::vector<Variant> all;
    for_each_kind(quantised_kinds, [&]<class P>(const Kind<P>& kind) {
        all.push_back({std::string(kind.name), LossyKind(P{})});
    });
    all.push_back({"qsgd, shared", LossyKind(set(&QsgdParams::scope, NormScope::shared))});
    all.push_back({"qsgd, max", LossyKind(set(&QsgdParams::norm, BucketNorm::max))});
    all.push_back({"terngrad, shared", LossyKind(set(&TernGradParams::scaler, Scaler::shared))});
    all.push_back({"terngrad, unclipped", LossyKind(set(&TernGradParams::clip, 0.0))});
    all.push_back({"power_sgd, alternating", LossyKind(set(&PowerSgdParams::iteration, PowerIteration::alternating))});
    all.push_back({"power_sgd, cold", LossyKind(set(&PowerSgdParams::start, PowerStart::cold))});
    all.push_back({"power_sgd, later", LossyKind(set(&PowerSgdParams::dense_steps, 1u))});
    all.push_back({"thc, ring", LossyKind(set(&ThcParams::carrier, ThcCarrier::ring))});
    all.push_back({"inceptionn, grace", LossyKind(set(&InceptionnParams::form, TagForm::grace))});
    return all;
}

/// f(compressor) for each.
template <class F>
void for_each_compressor(F&& f) {
    for (const Variant& variant : variants()) {
        SCOPED_TRACE(variant.name);
        f(*make_compressor(variant.kind, ranks, 11));
    }
}

TEST(Quantisers, GiveZerosForZeros) {
    for_each_compressor([](Compressor& compressor) {
        const std::vector gradients(ranks, Gradient(elements));
        for (int i = 0; i < 3; ++i) {
            const CompressionResult step = compressor.step(views(gradients), tensors);
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
        for (std::uint64_t number = 0; number < 2; ++number) {
            const CompressionResult step = compressor.step(views(normal_of_ranks(ranks, elements, number)), tensors);
            EXPECT_EQ(step.mean.size(), elements);
            ASSERT_EQ(step.sent.size(), ranks);
            for (const Gradient& sent : step.sent) EXPECT_EQ(sent.size(), elements);
            ASSERT_FALSE(step.exchanges.empty());
            for (std::size_t i = 0; i < step.exchanges.size(); ++i) {
                const WordExchange& exchange = step.exchanges[i];
                ASSERT_EQ(exchange.payload.size(), ranks);
                for (const std::uint64_t bytes : exchange.payload) EXPECT_LE(bytes, exchange.padded);
                for (const std::uint32_t before : exchange.after) EXPECT_LT(before, i);
                EXPECT_GT(exchange.floats, 0u);
            }
        }
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
            const CompressionResult step = compressor.step(views(corrected), tensors);
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
        for (std::uint64_t number = 0; number < 2; ++number) {
            const CompressionResult step = compressor.step(views(normal_of_ranks(ranks, elements, number)), tensors);
            const Gradient mean = mean_of(views(step.sent));
            for (std::size_t i = 0; i < elements; ++i) ASSERT_NEAR(step.mean[i], mean[i], 1e-4) << i;
        }
    });
}

TEST(Quantisers, ThatDrawDoSoAnewForEveryRankTensorAndStep) {
    // All ranks and both tensors have the same values, so that only the draws can differ.
    const Gradient half = normal(512, 3);
    Gradient both = half;
    both.insert(both.end(), half.begin(), half.end());
    const std::vector gradients(2, both);
    for (const LossyKind& kind : {LossyKind(QsgdParams{}), LossyKind(TernGradParams{}), LossyKind(ThcParams{})}) {
        SCOPED_TRACE(std::string(kind.name()));
        const auto compressor = make_compressor(kind, 2, 1);
        const std::vector<TensorShape> halves{{0, 512, 0}, {512, 1024, 0}};
        const CompressionResult first = compressor->step(views(gradients), halves);
        EXPECT_NE(first.sent[0], first.sent[1]);
        EXPECT_NE(Gradient(first.sent[0].begin(), first.sent[0].begin() + 512),
                  Gradient(first.sent[0].begin() + 512, first.sent[0].end()));
        EXPECT_NE(compressor->step(views(gradients), halves).sent[0], first.sent[0]);
        EXPECT_NE(make_compressor(kind, 2, 2)->step(views(gradients), halves).sent[0], first.sent[0]);
    }
}

TEST(Quantisers, TakeGradientsOfOneElementAndOfOneRank) {
    for (const Variant& variant : variants()) {
        SCOPED_TRACE(variant.name);
        const std::vector<Gradient> one{{-2.0f}};
        const CompressionResult step = make_compressor(variant.kind, 1, 1)->step(views(one), one_tensor(1, 1));
        ASSERT_EQ(step.mean.size(), 1u);
        EXPECT_LT(step.mean[0], 0);
        EXPECT_GT(step.mean[0], -4);   // THC rounds it to a level beside it
    }
}

}   // namespace
}   // namespace oscar::quantised_law_test
