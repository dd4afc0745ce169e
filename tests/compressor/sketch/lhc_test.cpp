#include "models/compressor/sketch/lhc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::lhc_test {
namespace {

using testing::exact_mean;
using testing::largest_error;
using testing::Ranks;
using testing::sparse_gradients;
using testing::step_of;

constexpr std::uint64_t elements = 3000 * 16 - 5;

LhcParams params_of(IndexMerge index, SketchCells cells) {
    LhcParams params;
    params.index = index;
    params.cells = cells;
    params.lanes = 16;
    params.ratio = 10;
    return params;
}

CompressionResult lhc(const LhcParams& params, const Ranks& gradients) {
    return step_of(*make_compressor(params, static_cast<std::uint32_t>(gradients.size()), 1), gradients);
}

TEST(Lhc, OfOneRankReturnsItsGradientWithEitherIndex) {
    const Ranks gradients = sparse_gradients(1, elements, 0.03, 1);
    for (const IndexMerge index : {IndexMerge::bitwise_or, IndexMerge::sum_nibble, IndexMerge::sum_bit_as_published})
        for (const SketchCells cells : {SketchCells::fp32, SketchCells::fp32_as_published, SketchCells::int32}) {
            const CompressionResult step = lhc(params_of(index, cells), gradients);
            EXPECT_LT(largest_error(step.mean, exact_mean(gradients)), 2e-6) << to_text(index) << to_text(cells);
        }
}

TEST(Lhc, OfTwoRanksThatAgreeOnTheSupportPassesButForSummedBits) {
    const Ranks gradients = sparse_gradients(2, elements, 0.03, 2);
    const auto error = [&](IndexMerge index) {
        return largest_error(lhc(params_of(index, SketchCells::int32), gradients).mean, exact_mean(gradients));
    };
    EXPECT_LT(error(IndexMerge::bitwise_or), 1e-6);
    EXPECT_LT(error(IndexMerge::sum_nibble), 1e-6);
    EXPECT_GT(error(IndexMerge::sum_bit_as_published), 0.1);
}

TEST(Lhc, OfIntegersIsTheSumOfTheCodesToTheBit) {
    const Ranks gradients = sparse_gradients(4, elements, 0.04, 3);
    LhcParams params = params_of(IndexMerge::bitwise_or, SketchCells::int32);
    params.bits = 12;
    const CompressionResult step = lhc(params, gradients);
    float peak = 0;
    for (const auto& gradient : gradients)
        for (const float v : gradient) peak = std::max(peak, std::fabs(v));
    const double unit = static_cast<double>(peak) / 2047;
    for (std::uint64_t i = 0; i < elements; ++i) {
        long sum = 0;
        for (const auto& gradient : gradients) sum += std::lround(static_cast<double>(gradient[i]) / unit);
        ASSERT_EQ(step.mean[i], static_cast<float>(static_cast<double>(sum) * unit) / 4) << i;
    }
}

TEST(Lhc, AsPublishedLosesTheLowestBitOfAMantissaAndNoMore) {
    Ranks gradients(1, std::vector<float>(elements));
    gradients[0][1234] = std::bit_cast<float>(0x3f800001u);
    const LhcParams params = params_of(IndexMerge::bitwise_or, SketchCells::fp32_as_published);
    EXPECT_EQ(lhc(params, gradients).mean[1234], 1.0f);
    EXPECT_EQ(lhc(params_of(IndexMerge::bitwise_or, SketchCells::fp32), gradients).mean[1234], gradients[0][1234]);
}

TEST(Lhc, AsPublishedAddsADenormalForAListedZero) {
    Ranks gradients(2, std::vector<float>(elements));
    gradients[0][7] = 1e-44f;   // of two ranks one lists the element: the other adds 1.4e-45 to it
    const float got = lhc(params_of(IndexMerge::bitwise_or, SketchCells::fp32_as_published), gradients).mean[7];
    EXPECT_EQ(std::bit_cast<std::uint32_t>(1e-44f), 7u);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(got), 4u);   // (7 | 1) + 1 = 8 denormal steps, halved
}

TEST(Lhc, NeverListsTrailingBlocksWhereTheGridIsDividedAsPublished) {
    LhcParams params = params_of(IndexMerge::bitwise_or, SketchCells::fp32);
    Ranks gradients(1, std::vector<float>(63 * 16));   // 7 groups of 8 blocks, and 7 blocks more
    gradients[0][56 * 16 - 1] = 1;
    gradients[0][56 * 16] = 2;
    EXPECT_EQ(lhc(params, gradients).mean[56 * 16], 2);
    params.cover = IndexCover::whole_groups_as_published;
    EXPECT_EQ(lhc(params, gradients).mean[56 * 16 - 1], 1);
    EXPECT_EQ(lhc(params, gradients).mean[56 * 16], 0);
}

TEST(Lhc, AsksForTheIndexAndThenForTheSketch) {
    const Ranks gradients = sparse_gradients(4, 10'240 * 16, 0.04, 4);
    const std::uint64_t n = 10'240 * 16;
    const CompressionResult step = lhc(params_of(IndexMerge::sum_nibble, SketchCells::fp32), gradients);
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].what, "index");
    EXPECT_EQ(step.exchanges[0].padded, n / 2);
    EXPECT_EQ(step.exchanges[0].floats, 0u);
    EXPECT_EQ(step.exchanges[1].what, "sketch");
    EXPECT_EQ(step.exchanges[1].padded, n * 4 / 10);
    EXPECT_EQ(step.exchanges[1].floats, n / 10);
    EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
    EXPECT_EQ(step.exchanges[1].payload, std::vector<std::uint64_t>(4, n * 4 / 10));
}

TEST(Lhc, ComparesWithDenseAsItsBytesSay) {
    // 1 / ratio + index bits / 32: at ratio 10 7.62x and 4.44x, at ratio 2 1.88x and 1.60x.
    const std::uint64_t n = 1000 * 1024;
    const Ranks gradients = sparse_gradients(2, n, 0.01, 5);
    const auto times_smaller = [&](double ratio, IndexMerge index) {
        LhcParams params;
        params.ratio = ratio;
        params.index = index;
        std::uint64_t bytes = 0;
        for (const WordExchange& exchange : lhc(params, gradients).exchanges) bytes += exchange.padded;
        return 4.0 * static_cast<double>(n) / static_cast<double>(bytes);
    };
    EXPECT_NEAR(times_smaller(10, IndexMerge::bitwise_or), 7.62, 0.005);
    EXPECT_NEAR(times_smaller(10, IndexMerge::sum_nibble), 4.44, 0.005);
    EXPECT_NEAR(times_smaller(2, IndexMerge::bitwise_or), 1.88, 0.005);
    EXPECT_NEAR(times_smaller(2, IndexMerge::sum_nibble), 1.60, 0.005);
}

TEST(Lhc, AgreesOnAPeakFirstWhereCellsAreIntegers) {
    const auto step =
        lhc(params_of(IndexMerge::bitwise_or, SketchCells::int32), sparse_gradients(2, elements, 0.03, 6));
    ASSERT_EQ(step.exchanges.size(), 3u);
    EXPECT_EQ(step.exchanges[0].what, "peak");
    EXPECT_EQ(step.exchanges[0].padded, 4u);
    EXPECT_EQ(step.exchanges[1].after, std::vector<std::uint32_t>{0});
    EXPECT_EQ(step.exchanges[2].after, std::vector<std::uint32_t>{1});
}

TEST(Lhc, CountsItsRounds) {
    const CompressionResult sparse =
        lhc(params_of(IndexMerge::bitwise_or, SketchCells::fp32), sparse_gradients(2, elements, 0.03, 7));
    EXPECT_GE(sparse.operations.rounds, 4u);   // load 0.3: about 3 with progress on this size, and the last
    EXPECT_LE(sparse.operations.rounds, 7u);
}

TEST(Lhc, MakesDenseGradientsSparseAndKeepsTheRest) {
    LhcParams params = params_of(IndexMerge::bitwise_or, SketchCells::fp32);
    params.zeros = 0.99;
    params.ratio = 5;
    constexpr std::uint32_t ranks = 3;
    const auto compressor = make_compressor(params, ranks, 1);
    Ranks unsent(ranks, std::vector<float>(elements));
    for (std::uint64_t step = 0; step < 5; ++step) {
        const Ranks gradients = sparse_gradients(ranks, elements, 1, step);
        const CompressionResult result = step_of(*compressor, gradients);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            EXPECT_EQ(std::ranges::count(result.sent[rank], 0.0f), static_cast<long>(std::ceil(0.99 * elements)));
            for (std::size_t i = 0; i < elements; ++i) {
                unsent[rank][i] += gradients[rank][i];
                if (result.sent[rank][i] != 0) {   // all of what the element had left
                    ASSERT_EQ(result.sent[rank][i], unsent[rank][i]);
                    unsent[rank][i] = 0;
                }
            }
        }
        EXPECT_LT(largest_error(result.mean, exact_mean(result.sent)), 2e-6);   // peeled: a load of 0.15
    }
    compressor->reset();
    const Ranks gradients = sparse_gradients(ranks, elements, 1, 9);
    EXPECT_EQ(step_of(*compressor, gradients).mean, lhc(params, gradients).mean);
    EXPECT_THROW(step_of(*compressor, sparse_gradients(ranks, elements + 16, 1, 9)), std::invalid_argument);
}

TEST(Lhc, RefusesGradientsThatFillNoThreeRows) {
    EXPECT_THROW(lhc(LhcParams{}, sparse_gradients(2, 20 * 1024, 0.03, 8)), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::lhc_test
