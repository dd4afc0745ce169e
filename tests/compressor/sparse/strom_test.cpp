// What Strom's threshold quantisation sends, and what it leaves to the residual.
#include "models/compressor/sparse/strom.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/input.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::strom_test {
namespace {

using ::testing::ElementsAre;
using testing::random_gradients;

constexpr std::uint32_t ranks = 3;
constexpr std::uint64_t elements = 4000;
const std::vector<TensorShape> tensors{{0, 3000, 30}, {3000, 3999, 0}, {3999, 4000, 0}};

std::unique_ptr<Compressor> strom(double threshold, std::uint32_t of_ranks) {
    return make_compressor(StromParams{threshold}, of_ranks, 1);
}

/// A step of gradients that are one tensor.
CompressionResult step_of(double threshold, const std::vector<std::vector<float>>& gradients) {
    const std::vector<TensorShape> whole{{0, gradients[0].size(), 0}};
    return strom(threshold, static_cast<std::uint32_t>(gradients.size()))->step(views(gradients), whole);
}

/// Merges at once, and keeps what the ranks brought.
class KeepingCarrier final : public Carrier {
public:
    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override {
        brought.push_back(words.of_ranks);
        return RankOrderCarrier().carry(exchange, words);
    }
    std::vector<std::vector<std::vector<Symbol>>> brought;   ///< [exchange][rank]
};

/// Random multiples of 1/64 in (-16, 16), whose sums are exact.
std::vector<std::vector<float>> exact_gradients(std::uint64_t step) {
    auto gradients = random_gradients(ranks, elements, step);
    for (auto& gradient : gradients)
        for (float& value : gradient) value = std::fmod(std::round(value * 64), 1024.0f) / 64;
    return gradients;
}

TEST(Strom, SendsTheThresholdOfWhatReachesItAndAveragesOverTheRanks) {
    // Rank 0 sends two elements, rank 1 three: (0.5 + 0.5) / 2, (-0.5 + 0.5) / 2, (0 - 0.5) / 2, 0.
    const CompressionResult step = step_of(0.5, {{0.5f, -2, 0.25f, 0}, {0.75f, 0.5f, -0.5f, -0.25f}});
    EXPECT_THAT(step.sent, ElementsAre(ElementsAre(0.5f, -0.5f, 0, 0), ElementsAre(0.5f, 0.5f, -0.5f, 0)));
    EXPECT_THAT(step.mean, ElementsAre(0.5f, 0, -0.25f, 0));
    EXPECT_EQ(step.operations.comparisons, 4u);
    EXPECT_EQ(step.operations.additions, 2u + 3);
    EXPECT_EQ(step.operations.elements, 4u + 3 + 5 + 4);   // read; message; added; divided
}

TEST(Strom, TellsSizesAndThenGathersAWordForEachElementSent) {
    const CompressionResult step = step_of(0.5, {{0.5f, -2, 0.25f, 0}, {0.75f, 0.5f, -0.5f, -0.25f}});
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_gather);
    EXPECT_THAT(step.exchanges[0].payload, ElementsAre(8, 8));
    EXPECT_EQ(step.exchanges[0].floats, 0u);
    EXPECT_EQ(step.exchanges[1].carrier, CollectiveKind::all_gather);
    EXPECT_THAT(step.exchanges[1].payload, ElementsAre(4 * 2, 4 * 3));
    EXPECT_EQ(step.exchanges[1].padded, 4 * 3u);
    EXPECT_EQ(step.exchanges[1].floats, 3u);
    EXPECT_THAT(step.exchanges[1].after, ElementsAre(0));
}

TEST(Strom, PutsTheIndexInTheWholeGradientIntoTheLower31BitsAndTheSignAboveThem) {
    const std::vector<std::vector<float>> gradients{{0, 7, 0, 0, -7, 0}, {0, 0, 0, 0, 0, 7}};
    const std::vector<TensorShape> two{{0, 4, 2}, {4, 6, 0}};
    KeepingCarrier carrier;
    strom(1, 2)->step(views(gradients), two, carrier);
    ASSERT_EQ(carrier.brought.size(), 2u);
    EXPECT_THAT(carrier.brought[0], ElementsAre(ElementsAre(2, 0), ElementsAre(1, 0)));
    EXPECT_THAT(carrier.brought[1], ElementsAre(ElementsAre(1, static_cast<Symbol>(0x80000004)), ElementsAre(5)));
}

TEST(Strom, SendsZeroOrTheThresholdWithTheSignOfTheElement) {
    const auto gradients = random_gradients(ranks, elements, 1);
    for (const double threshold : {1e-12, 1e-3, 0.3, 5.0, 1e6}) {
        const auto tau = static_cast<float>(threshold);
        const CompressionResult step = strom(threshold, ranks)->step(views(gradients), tensors);
        for (std::size_t r = 0; r < ranks; ++r)
            for (std::size_t i = 0; i < elements; ++i) {
                const float v = gradients[r][i];
                ASSERT_EQ(step.sent[r][i], std::fabs(v) >= tau ? std::copysign(tau, v) : 0) << r << ' ' << i;
            }
        EXPECT_EQ(step.mean, mean_of(views(step.sent)));
    }
}

TEST(Strom, SplitsGradientAndResidualIntoWhatIsSentAndTheRest) {
    ErrorFed compressor(strom(0.25, ranks));
    std::vector<float> residual(elements);   // of rank 2
    for (std::uint64_t s = 0; s < 5; ++s) {
        const auto gradients = exact_gradients(s);
        const CompressionResult step = compressor.step(views(gradients), tensors);
        for (std::size_t i = 0; i < elements; ++i) {
            const float corrected = gradients[2][i] + residual[i], rest = compressor.residual(2)[i];
            ASSERT_EQ(step.sent[2][i] + rest, corrected) << s << ' ' << i;
            ASSERT_EQ(std::fabs(corrected) - std::fabs(rest), std::fabs(step.sent[2][i])) << s << ' ' << i;
            residual[i] = rest;
        }
    }
}

TEST(Strom, SendsALargeElementInAsManyStepsAsItHasThresholds) {
    ErrorFed compressor(strom(0.25, 1));
    const std::vector<TensorShape> whole{{0, 2, 0}};
    std::vector<std::vector<float>> gradients{{1, -0.125f}};
    std::vector<float> first;
    for (int s = 0; s < 6; ++s) {
        first.push_back(compressor.step(views(gradients), whole).mean[0]);
        gradients[0] = {0, 0};
    }
    EXPECT_THAT(first, ElementsAre(0.25f, 0.25f, 0.25f, 0.25f, 0, 0));
    EXPECT_THAT(compressor.residual(0), ElementsAre(0, -0.125f));
}

TEST(Strom, SendsFourBytesForEachElement) {
    const auto gradients = random_gradients(ranks, elements, 2);
    const CompressionResult step = strom(0.7, ranks)->step(views(gradients), tensors);
    ASSERT_EQ(step.exchanges.size(), 2u);   // of all tensors together
    for (std::size_t r = 0; r < ranks; ++r) {
        const auto sent = std::ranges::count_if(step.sent[r], [](float v) { return v != 0; });
        EXPECT_GT(sent, 0);
        EXPECT_EQ(step.exchanges[1].payload[r], 4 * static_cast<std::uint64_t>(sent));
    }
}

TEST(Strom, SendsOnlySizesWhereNothingReachesTheThreshold) {
    const CompressionResult step = step_of(1, {{0.5f, -0.5f}, {0, 0.9f}});
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].what, "sizes");
    EXPECT_THAT(step.mean, ElementsAre(0, 0));
}

TEST(Strom, TakesTwiceTheOperationsForTheSameValuesTwice) {
    const auto half = random_gradients(ranks, elements, 1);
    auto twice = half;
    for (std::size_t r = 0; r < ranks; ++r) twice[r].insert(twice[r].end(), half[r].begin(), half[r].end());
    const ComputeCost of_half = step_of(0.3, half).operations, of_all = step_of(0.3, twice).operations;
    EXPECT_EQ(of_all.elements, 2 * of_half.elements);
    EXPECT_EQ(of_all.comparisons, 2 * of_half.comparisons);
    EXPECT_EQ(of_all.additions, 2 * of_half.additions);
}

TEST(Strom, RefusesMoreElementsThan31BitsTellApart) {
    EXPECT_NO_THROW(check_strom_length(std::uint64_t{1} << 31));   // the last has the index 2^31 - 1
    EXPECT_THROW(check_strom_length((std::uint64_t{1} << 31) + 1), std::invalid_argument);
    EXPECT_THROW(check_strom_length(std::uint64_t{1} << 40), std::invalid_argument);
}

TEST(Strom, RefusesAThresholdOutOfItsRange) {
    for (const double wrong : {0.0, -1.0, 0.9e-12, 1.1e6, HUGE_VAL, std::nan("")})
        EXPECT_THROW(strom(wrong, 2), std::invalid_argument) << wrong;
    EXPECT_TRUE(strom(1e-3, 2)->takes_error_feedback());
}

}   // namespace
}   // namespace oscar::strom_test
