// What holds for every lossy compressor of the family, whatever it does.
#include <gmock/gmock.h>

#include <limits>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/compressors.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::laws_test {
namespace {

using testing::random_gradients;

constexpr std::uint32_t ranks = 4;
constexpr std::uint64_t elements = 96 * 256 + 300 + 1;
const std::vector<TensorShape> tensors{{0, 96 * 256, 96}, {96 * 256, 96 * 256 + 300, 0}, {96 * 256 + 300, elements, 0}};

/// Calls law(make) for each kind with its defaults, where make() gives a compressor before its first step.
template <class Law>
void for_each_compressor(Law law) {
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        law([] { return make_compressor(LossyKind(P{}), ranks, 7); });
    });
}

CompressionResult step_of(Compressor& compressor, std::uint64_t number) {
    return compressor.step(views(random_gradients(ranks, elements, number)), tensors);
}

void expect_equal(const CompressionResult& a, const CompressionResult& b) {
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.sent, b.sent);
    EXPECT_EQ(a.operations, b.operations);
    ASSERT_EQ(a.exchanges.size(), b.exchanges.size());
    for (std::size_t i = 0; i < a.exchanges.size(); ++i) EXPECT_EQ(a.exchanges[i].payload, b.exchanges[i].payload);
}

TEST(EveryCompressor, GivesTheSameForTheSameSeedAndAfterAReset) {
    for_each_compressor([](auto make) {
        const auto one = make(), other = make();
        std::vector<CompressionResult> steps;
        for (std::uint64_t s = 0; s < 3; ++s) {
            steps.push_back(step_of(*one, s));
            expect_equal(steps.back(), step_of(*other, s));
        }
        one->reset();
        for (std::uint64_t s = 0; s < 3; ++s) expect_equal(steps[s], step_of(*one, s));
    });
}

TEST(EveryCompressor, MakesZeroOfZero) {
    for_each_compressor([](auto make) {
        const auto compressor = make();
        const std::vector<std::vector<float>> zeros(ranks, std::vector<float>(elements));
        for (int s = 0; s < 3; ++s) {
            const CompressionResult step = compressor->step(views(zeros), tensors);
            EXPECT_THAT(step.mean, ::testing::AllOf(::testing::SizeIs(elements), ::testing::Each(0)));
            EXPECT_THAT(step.sent, ::testing::Each(::testing::Each(0)));
        }
    });
}

TEST(EveryCompressor, StatesItsExchangesForAllRanksInAnOrderThatCanBeIssued) {
    for_each_compressor([](auto make) {
        const auto compressor = make();
        for (std::uint64_t s = 0; s < 2; ++s) {
            const CompressionResult step = step_of(*compressor, s);
            EXPECT_FALSE(step.exchanges.empty());
            for (std::size_t i = 0; i < step.exchanges.size(); ++i) {
                const WordExchange& exchange = step.exchanges[i];
                EXPECT_EQ(exchange.payload.size(), ranks) << exchange.what;
                EXPECT_THAT(exchange.payload, ::testing::Each(::testing::Le(exchange.padded))) << exchange.what;
                EXPECT_THAT(exchange.after, ::testing::Each(::testing::Lt(i))) << exchange.what;
                EXPECT_FALSE(exchange.what.empty());
            }
        }
    });
}

/// Leaves zeros in place of the words of one exchange.
class ZeroingCarrier final : public Carrier {
public:
    explicit ZeroingCarrier(std::size_t place) : place_(place) {}
    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override {
        std::vector<Symbol> left = RankOrderCarrier().carry(exchange, words);
        if (carried_++ == place_) left.assign(left.size(), 0);
        return left;
    }

private:
    std::size_t place_, carried_ = 0;
};

TEST(EveryCompressor, MakesItsMeanOfWhatTheCarrierLeaves) {
    const auto gradients = random_gradients(ranks, elements, 1);
    for_each_compressor([&](auto make) {
        const CompressionResult whole = make()->step(views(gradients), tensors);
        bool changes = false;
        for (std::size_t place = 0; place < whole.exchanges.size(); ++place) {
            ZeroingCarrier carrier(place);
            changes = changes || make()->step(views(gradients), tensors, carrier).mean != whole.mean;
        }
        EXPECT_TRUE(changes);
    });
}

TEST(EveryCompressor, AccountsUnderErrorFeedbackForTheSumOfAllGradients) {
    for_each_compressor([](auto make) {
        auto inner = make();
        if (!inner->takes_error_feedback()) return;
        ErrorFed compressor(std::move(inner));
        constexpr std::uint64_t steps = 5;
        std::vector<double> unsent(elements), scale(elements);   // of rank 1
        for (std::uint64_t s = 0; s < steps; ++s) {
            const auto gradients = random_gradients(ranks, elements, s);
            const CompressionResult step = compressor.step(views(gradients), tensors);
            for (std::size_t i = 0; i < elements; ++i) {
                unsent[i] += static_cast<double>(gradients[1][i]) - static_cast<double>(step.sent[1][i]);
                scale[i] +=
                    std::fabs(static_cast<double>(gradients[1][i])) + std::fabs(static_cast<double>(step.sent[1][i]));
            }
        }
        const std::span<const float> residual = compressor.residual(1);
        ASSERT_EQ(residual.size(), elements);
        for (std::size_t i = 0; i < elements; ++i)
            ASSERT_NEAR(unsent[i], static_cast<double>(residual[i]), 1e-6 * scale[i]) << i;
    });
}

TEST(EveryCompressor, RefusesWhatIsNoGradient) {
    for_each_compressor([](auto make) {
        const auto compressor = make();
        auto gradients = random_gradients(ranks, elements, 1);
        const auto step = [&] { return compressor->step(views(gradients), tensors); };
        gradients[2][17] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_THAT(step, ::testing::ThrowsMessage<std::invalid_argument>(
                              ::testing::AllOf(::testing::HasSubstr("rank 2"), ::testing::HasSubstr("element 17"))));
        gradients[2][17] = -std::numeric_limits<float>::infinity();
        EXPECT_THROW(step(), std::invalid_argument);
        gradients[2].assign(elements + 1, 1);
        EXPECT_THROW(step(), std::invalid_argument);
        gradients.resize(2);
        EXPECT_THROW(step(), std::invalid_argument);
        gradients.clear();
        EXPECT_THROW(step(), std::invalid_argument);
    });
}

TEST(EveryCompressor, RefusesTensorsThatDoNotTileTheGradient) {
    for_each_compressor([](auto make) {
        const auto compressor = make();
        const auto gradients = random_gradients(ranks, 8, 1);
        for (const std::vector<TensorShape>& wrong : {std::vector<TensorShape>{},
                                                      {{0, 7, 0}},
                                                      {{0, 9, 0}},
                                                      {{1, 8, 0}},
                                                      {{0, 4, 0}, {5, 8, 0}},
                                                      {{0, 8, 0}, {8, 8, 0}},
                                                      {{0, 8, 3}}})
            EXPECT_THROW(compressor->step(views(gradients), wrong), std::invalid_argument);
    });
}

TEST(EveryCompressor, NeedsARank) {
    for_each_kind(lossy_kinds, []<class P>(const Kind<P>& kind) {
        EXPECT_THROW(make_compressor(LossyKind(P{}), 0, 1), std::invalid_argument) << kind.name;
    });
}

}   // namespace
}   // namespace oscar::laws_test
