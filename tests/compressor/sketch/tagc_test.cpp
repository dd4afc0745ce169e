#include "models/compressor/sketch/tagc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "tests/compressor/sketch/sketch_support.hpp"

namespace oscar::tagc_test {
namespace {

using testing::exact_mean;
using testing::largest_error;
using testing::Ranks;
using testing::sparse_gradients;

constexpr std::uint32_t ranks = 4;

/// Three units of which the second is large: 40'000 elements in four shards of 10'000, each 625 blocks of 16.
const std::vector<TensorShape> units{{0, 1000, 0}, {1000, 41'000, 0}, {41'000, 41'300, 0}};
constexpr std::uint64_t elements = 41'300;

TagcParams small_params() {
    TagcParams params;
    params.lanes = 16;
    params.min_elements = 40'000;
    params.ratio = 10;
    params.zeros = 0;
    return params;
}

CompressionResult step_of(Tagc& tagc, const Ranks& gradients) { return tagc.step(views(gradients), units); }

CompressionResult one_step(const TagcParams& params, const Ranks& gradients) {
    Tagc tagc(params, static_cast<std::uint32_t>(gradients.size()));
    return step_of(tagc, gradients);
}

/// Bits per element of the exchanges of compressed shards, a reduce counted once and an all-reduce twice.
double bits_per_element(const CompressionResult& step, std::uint64_t size) {
    double bits = 0;
    for (const WordExchange& exchange : step.exchanges)
        bits += 8.0 * static_cast<double>(exchange.padded) * (exchange.carrier == CollectiveKind::all_reduce ? 2 : 1);
    return bits / static_cast<double>(size);
}

TEST(Tagc, TakesTheBitsPerElementOfItsTable) {
    struct Row {
        double ratio;
        IndexMerge index;
        double bits;
    };
    // 32 / ratio + 2 * index bits; 10x with a bit is the 5.2 bits that are 6.15 times less than 32.
    constexpr std::uint64_t size = 2 * 20 * 1024 * 10;   // two shards of whole blocks that all ratios divide
    const Ranks gradients = sparse_gradients(2, size, 0.01, 1);
    for (const Row& row : {Row{2, IndexMerge::bitwise_or, 18}, Row{2, IndexMerge::sum_nibble, 24},
                           Row{4, IndexMerge::bitwise_or, 10}, Row{4, IndexMerge::sum_nibble, 16},
                           Row{10, IndexMerge::sum_bit_as_published, 5.2}, Row{10, IndexMerge::sum_nibble, 11.2}}) {
        TagcParams params;
        params.units = Units::all;
        params.ratio = row.ratio;
        params.index = row.index;
        const std::vector<TensorShape> whole{{0, size, 0}};
        const double bits = bits_per_element(Tagc(params, 2).step(views(gradients), whole), size);
        EXPECT_DOUBLE_EQ(bits, row.bits) << row.ratio << to_text(row.index);
        if (row.bits == 5.2) {
            EXPECT_NEAR(32 / bits, 6.15, 0.005);
        }
    }
}

TEST(Tagc, SendsEachSketchToTheOwnerOfItsShardAfterItsIndex) {
    const CompressionResult step = one_step(small_params(), sparse_gradients(ranks, elements, 0.01, 2));
    // gradient of unit 0; index and sketch of four shards (625 whole blocks of 16, no tail); gradient of unit 2
    ASSERT_EQ(step.exchanges.size(), 1 + 2 * ranks + 1u);
    EXPECT_EQ(step.exchanges.front().carrier, CollectiveKind::reduce_scatter);
    EXPECT_EQ(step.exchanges.front().padded, 4000u);
    EXPECT_EQ(step.exchanges.back().padded, 1200u);
    for (std::uint32_t shard = 0; shard < ranks; ++shard) {
        const WordExchange &index = step.exchanges[1 + 2 * shard], &sketch = step.exchanges[2 + 2 * shard];
        EXPECT_EQ(index.what, "index");
        EXPECT_EQ(index.carrier, CollectiveKind::all_reduce);
        EXPECT_EQ(index.padded, 10'016u / 8);   // whole words
        EXPECT_TRUE(index.after.empty());
        EXPECT_EQ(sketch.what, "sketch");
        EXPECT_EQ(sketch.carrier, CollectiveKind::reduce);
        EXPECT_EQ(sketch.root, shard);
        EXPECT_EQ(sketch.padded, 4u * 63 * 16);   // ceil(625 / 10) rows
        EXPECT_EQ(sketch.after, std::vector<std::uint32_t>{1 + 2 * shard});
        EXPECT_EQ(sketch.payload, std::vector<std::uint64_t>(ranks, sketch.padded));
    }
}

TEST(Tagc, WithoutZerosAtRatioOneIsTheDenseMeanToTheBit) {
    TagcParams params = small_params();
    params.ratio = 1;
    const Ranks gradients = sparse_gradients(ranks, elements, 0.9, 3);
    for (const Sparsify how : {Sparsify::exact_quantile, Sparsify::table_as_published}) {
        params.sparsify = how;
        EXPECT_EQ(one_step(params, gradients).mean, mean_of(views(gradients)));
    }
}

TEST(Tagc, IsTheDenseMeanWhereTheLoadIsLow) {
    const Ranks gradients = sparse_gradients(ranks, elements, 0.02, 4);   // load 0.2
    EXPECT_LT(largest_error(one_step(small_params(), gradients).mean, exact_mean(gradients)), 2e-6);
    TagcParams integers = small_params();
    integers.cells = SketchCells::int32;
    EXPECT_LT(largest_error(one_step(integers, gradients).mean, exact_mean(gradients)), 2e-7);
}

TEST(Tagc, LeavesOtherUnitsAsTheyAre) {
    TagcParams params = small_params();
    params.zeros = 0.9;
    const Ranks gradients = sparse_gradients(ranks, elements, 0.9, 5);
    const CompressionResult step = one_step(params, gradients);
    const std::vector<float> dense = mean_of(views(gradients));
    EXPECT_TRUE(std::equal(step.mean.begin(), step.mean.begin() + 1000, dense.begin()));
    EXPECT_TRUE(std::equal(step.mean.begin() + 41'000, step.mean.end(), dense.begin() + 41'000));
    EXPECT_FALSE(std::equal(step.mean.begin(), step.mean.end(), dense.begin()));
}

TEST(Tagc, KeepsAResidualForEachShardOfEachCompressedUnitAndMicroStep) {
    TagcParams params = small_params();
    params.zeros = 0.95;
    Tagc tagc(params, ranks);
    const Ranks gradients = sparse_gradients(ranks, elements, 0.9, 6);
    for (int micro_step = 0; micro_step < 3; ++micro_step) {
        step_of(tagc, gradients);
        ASSERT_EQ(tagc.parts().size(), ranks);   // shards of the one large unit
        for (const SparsePart& part : tagc.parts())
            for (std::uint32_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(part.residual(rank).size(), 10'000u);
    }
    tagc.reset();
    EXPECT_TRUE(tagc.parts().empty());
}

TEST(Tagc, AccountsForAllGradientsByWhatWasSentAndTheResiduals) {
    TagcParams params = small_params();
    params.zeros = 0.95;
    for (const SketchCells cells : {SketchCells::fp32, SketchCells::int32}) {
        params.cells = cells;
        Tagc tagc(params, ranks);
        std::vector<double> unsent(elements);   // of rank 2
        for (std::uint64_t step = 0; step < 10; ++step) {
            const Ranks gradients = sparse_gradients(ranks, elements, 0.9, step);
            const CompressionResult result = step_of(tagc, gradients);
            for (std::size_t i = 0; i < elements; ++i)
                unsent[i] += static_cast<double>(gradients[2][i]) - static_cast<double>(result.sent[2][i]);
        }
        for (std::size_t i = 0; i < 40'000; ++i) {
            const double left = static_cast<double>(tagc.parts()[i / 10'000].residual(2)[i % 10'000]);
            ASSERT_NEAR(unsent[1000 + i], left, 1e-5) << to_text(cells) << i;
        }
        EXPECT_EQ(unsent[0], 0);
    }
}

TEST(Tagc, MakesTheWantedShareOfAShardZero) {
    TagcParams params = small_params();
    params.zeros = 0.95;
    const CompressionResult step = one_step(params, sparse_gradients(ranks, elements, 2, 7));   // no zeros before
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(std::count(step.sent[rank].begin() + 1000, step.sent[rank].begin() + 11'000, 0.0f), 9500);
}

TEST(Tagc, DependsOnTheMergeOfIndicesOnlyFromTwoRanksOn) {
    TagcParams bits = small_params(), summed = small_params();
    summed.index = IndexMerge::sum_bit_as_published;
    const Ranks one = sparse_gradients(1, elements, 0.02, 8), two = sparse_gradients(2, elements, 0.02, 8);
    EXPECT_EQ(one_step(bits, one).mean, one_step(summed, one).mean);
    EXPECT_NE(one_step(bits, two).mean, one_step(summed, two).mean);
}

TEST(Tagc, SendsTheRestOfAShardBeyondItsWholeBlocksAsItIs) {
    const std::vector<TensorShape> whole{{0, 4 * 10'007, 0}};
    const Ranks gradients = sparse_gradients(ranks, 4 * 10'007, 0.02, 9);
    const CompressionResult step = Tagc(small_params(), ranks).step(views(gradients), whole);
    ASSERT_EQ(step.exchanges.size(), 3u * ranks);
    EXPECT_EQ(step.exchanges[2].what, "tail");
    EXPECT_EQ(step.exchanges[2].padded, 4u * 7);   // 10'007 = 625 * 16 + 7
    EXPECT_EQ(step.exchanges[2].root, 0u);
    const std::vector<float> dense = mean_of(views(gradients));
    for (std::size_t i = 10'000; i < 10'007; ++i) EXPECT_EQ(step.mean[i], dense[i]);
    EXPECT_LT(largest_error(step.mean, exact_mean(gradients)), 2e-6);
}

TEST(Tagc, EncodesEachShardBeforeItsIndexAndDecodesTheUnitBesideWhatFollows) {
    const CompressionResult step = one_step(small_params(), sparse_gradients(ranks, elements, 0.02, 11));
    ComputeCost encoding, none;
    constexpr std::size_t last = 2 * ranks;   // after the dense exchange of the first unit
    ASSERT_EQ(step.exchanges.size(), 1 + last + 1);
    for (std::size_t i = 1; i <= last; ++i) {
        const WordExchange& exchange = step.exchanges[i];
        const bool index = i % 2 == 1;
        EXPECT_EQ(exchange.what, index ? "index" : "sketch");
        EXPECT_EQ(exchange.after.empty(), index);
        EXPECT_EQ(exchange.encoding.hashes, index ? 3 * (40'000 / 16) / ranks : 0);
        EXPECT_EQ(exchange.decoding == none, i < last);
        encoding += exchange.encoding;
    }
    EXPECT_EQ(work_after_exchanges(step), none);
    EXPECT_EQ((encoding += step.exchanges[last].decoding), step.operations);
}

TEST(Tagc, DecodesOnARankOnlyTheShardThatItOwns) {
    const Ranks gradients = sparse_gradients(ranks, elements, 0.02, 11);
    const CompressionResult step = one_step(small_params(), gradients);
    const std::uint64_t rounds = step.operations.rounds, blocks = 40'000 / 16;
    EXPECT_GE(rounds, 3u);
    EXPECT_LE(rounds, 8u);   // of one shard, not of four
    // Three hashes of every block to encode; to decode those of a quarter, for the counts and once more each round.
    EXPECT_EQ(step.operations.hashes, 3 * blocks + 3 * blocks / ranks * (1 + rounds));
}

TEST(Tagc, RefusesTensorsThatChange) {
    Tagc tagc(small_params(), 1);
    step_of(tagc, sparse_gradients(1, elements, 0.02, 1));
    const std::vector<TensorShape> other{{0, elements, 0}};
    EXPECT_THROW(tagc.step(views(sparse_gradients(1, elements, 0.02, 1)), other), std::invalid_argument);
}

/// GPT-2 small without biases and weight tying, context 512: elements of its tensors.
std::vector<std::uint64_t> gpt2() {
    std::vector<std::uint64_t> tensors{50304 * 768, 512 * 768};
    for (int layer = 0; layer < 12; ++layer)
        for (const std::uint64_t size : {768u, 768u * 2304, 768u * 768, 768u, 768u * 3072, 768u * 3072})
            tensors.push_back(size);
    tensors.insert(tensors.end(), {768, 50304 * 768});
    return tensors;
}

TEST(Tagc, CompressesThe82PercentOfGpt2ThatArePublished) {
    TagcParams published;
    published.units = Units::gpt2_as_published;
    std::uint64_t all = 0, compressed = 0;
    for (const std::uint64_t size : gpt2()) {
        all += size;
        compressed += compresses(published, size) ? size : 0;
    }
    EXPECT_EQ(all, 162'614'016u);
    EXPECT_EQ(compressed, 133'890'048u);
    EXPECT_NEAR(static_cast<double>(compressed) / static_cast<double>(all), 0.823, 0.0005);
    EXPECT_TRUE(compresses(published, 2'359'296));
    EXPECT_TRUE(compresses(published, 38'633'472));
    EXPECT_FALSE(compresses(published, 589'824));   // the attention's projection
}

TEST(Tagc, CompressesLargeUnitsOrAll) {
    TagcParams params;
    EXPECT_TRUE(compresses(params, 2'000'001));
    EXPECT_FALSE(compresses(params, 2'000'000));   // more than 2'000'000 elements make a unit of FSDP
    params.units = Units::all;
    EXPECT_TRUE(compresses(params, 1));
}

/// Of all exchanges one after another on a ring of 10 Gbit/s with a fixed time for each step of a collective.
double seconds(const CompressionResult& step, double latency) {
    double time = 0;
    for (const WordExchange& exchange : step.exchanges) {
        const double passes = exchange.carrier == CollectiveKind::all_reduce ? 2 : 1;
        time += passes * (ranks - 1) * (latency + static_cast<double>(exchange.padded) / ranks / 1.25e9);
    }
    return time;
}

TEST(Tagc, OfAllLayersIsSlowerThanOfLargeOnesWhereExchangesHaveALatency) {
    // 50 small layers of 2048 elements and a large one of 409'600.
    std::vector<TensorShape> layers;
    for (std::uint64_t layer = 0; layer < 50; ++layer) layers.push_back({2048 * layer, 2048 * (layer + 1), 0});
    layers.push_back({102'400, 512'000, 0});
    const Ranks gradients = sparse_gradients(ranks, 512'000, 0.01, 10);
    TagcParams large = small_params(), all = small_params();
    all.units = Units::all;
    large.min_elements = 100'000;
    const CompressionResult of_large = Tagc(large, ranks).step(views(gradients), layers);
    const CompressionResult of_all = Tagc(all, ranks).step(views(gradients), layers);
    EXPECT_LT(seconds(of_all, 0), seconds(of_large, 0));           // fewer bytes
    EXPECT_GT(seconds(of_all, 20e-6), seconds(of_large, 20e-6));   // more exchanges
}

}   // namespace
}   // namespace oscar::tagc_test
