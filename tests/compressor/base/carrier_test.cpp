#include "models/compressor/base/carrier.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "models/compressor/base/input.hpp"
#include "models/compressor/compressors.hpp"
#include "models/quantise/quantiser.hpp"
#include "tests/compressor/distributions.hpp"

namespace oscar::carrier_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cells, OfEightBitsShareAWordAndKeepTheirSigns) {
    const std::vector<std::int32_t> cells{1, -1, 127, -128, 5};
    const std::vector<Symbol> words = packed_cells(cells, 8);
    EXPECT_THAT(words, ElementsAre(static_cast<Symbol>(0x807fff01U), 5));
    EXPECT_EQ(unpacked_cells(words, 5, 8), cells);
}

TEST(Cells, SurviveThePackingAtEveryWidth) {
    const std::vector<std::int32_t> cells{0, 1, -1, 100, -100, 7};
    for (const std::uint32_t bits : {8U, 16U, 32U}) {
        SCOPED_TRACE(bits);
        EXPECT_EQ(packed_cells(cells, bits).size(), (cells.size() * bits + 31) / 32);
        EXPECT_EQ(unpacked_cells(packed_cells(cells, bits), cells.size(), bits), cells);
    }
}

TEST(Cells, AddUpFieldByFieldModuloTheirWidth) {
    for (const std::uint32_t bits : {8U, 16U, 32U}) {
        SCOPED_TRACE(bits);
        const std::int32_t most = bits == 32 ? 0x7fffffff : (1 << (bits - 1)) - 1;
        RankWords words{.type = cell_type(bits)};
        words.of_ranks = {packed_cells(std::vector<std::int32_t>{most, -5, 3, -1}, bits),
                          packed_cells(std::vector<std::int32_t>{1, 2, -3, -1}, bits)};
        const auto sum = unpacked_cells(RankOrderCarrier().carry({}, words), 4, bits);
        EXPECT_THAT(sum, ElementsAre(-most - 1, -3, 0, -2));   // the first wraps, and carries into no neighbour
    }
}

TEST(Fields, FollowOneAnotherAcrossWords) {
    // 12 bits each: 0xabc, 0x123, 0xfed make the words 0xed123abc and 0xf.
    EXPECT_THAT(packed_fields(std::vector<std::uint32_t>{0xabc, 0x123, 0xfed}, 12),
                ElementsAre(static_cast<Symbol>(0xed123abcU), 0xf));
    EXPECT_THAT(packed_fields(std::vector<std::uint32_t>{1, 0, 1, 1}, 1), ElementsAre(0b1101));
}

TEST(Bytes, BecomeWordsFromTheLowestBitsOn) {
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
    EXPECT_THAT(words_of_bytes(bytes), ElementsAre(0x04030201, 5));
    EXPECT_EQ(bytes_of_words(words_of_bytes(bytes), 5), bytes);
}

TEST(RankOrder, GathersTheWordsOfAllRanksPaddedToTheLongest) {
    const RankWords words{.of_ranks = {{1, 2}, {3}, {}}};
    EXPECT_THAT(RankOrderCarrier().carry({.what = "parts", .carrier = CollectiveKind::all_gather}, words),
                ElementsAre(1, 2, 3, 0, 0, 0));
}

TEST(RankOrder, KeepsEachRanksLargestMagnitudeAndAllBits) {
    const RankWords magnitudes{ElementType::magnitude,
                               32,
                               {words_of_floats(std::array{1.5F, 0.0F}), words_of_floats(std::array{0.5F, 3e-40F})}};
    EXPECT_THAT(floats_of_words(RankOrderCarrier().carry({}, magnitudes)), ElementsAre(1.5F, 3e-40F));
    const RankWords bitmaps{ElementType::bitmap, 32, {{0b0101}, {0b0110}}};
    EXPECT_THAT(RankOrderCarrier().carry({}, bitmaps), ElementsAre(0b0111));
}

TEST(Exchanges, AreAsLongAsTheirWordsAtTheWidthOfTheSum) {
    RankOrderCarrier carrier;
    CompressionResult result;
    StepExchanges exchanges(carrier, result);
    // 10 codes of 8 bits of 4 ranks: sums of 10 bits.
    const RankWords codes{ElementType::integer, 8, std::vector(4, std::vector<Symbol>(10, 100))};
    EXPECT_EQ(exchanges.carry({.what = "codes"}, codes).front(), 400);
    EXPECT_THAT(result.exchanges[0].payload, ElementsAre(13, 13, 13, 13));
    const RankWords unequal{.of_ranks = {{1, 2, 3}, {1}, {}, {1}}};
    exchanges.carry({.what = "parts", .carrier = CollectiveKind::all_gather}, unequal);
    EXPECT_THAT(result.exchanges[1].payload, ElementsAre(12, 4, 0, 4));
    EXPECT_EQ(result.exchanges[1].padded, 12U);
    const RankWords told{.of_ranks = {{1}, {2}, {3}, {4}}};
    EXPECT_THAT(exchanges.carry({.what = "news", .carrier = CollectiveKind::broadcast}, told), ElementsAre(1));
    EXPECT_THAT(result.exchanges[2].payload, ElementsAre(4, 0, 0, 0));
    EXPECT_THAT(exchanges.carry({.what = "nothing"}, {.of_ranks = std::vector<std::vector<Symbol>>(4)}), IsEmpty());
    EXPECT_EQ(result.exchanges.size(), 3U);
}

/// Fails a test whose compressor gives it words that a codec could not code, or that cannot merge.
class StrictCarrier final : public Carrier {
public:
    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override {
        SCOPED_TRACE(exchange.what);
        ++carried;
        for (const std::uint32_t before : exchange.after) EXPECT_LT(before + 1, carried);
        const bool equal_lengths = exchange.carrier != CollectiveKind::all_gather &&
                                   exchange.carrier != CollectiveKind::shift &&
                                   exchange.carrier != CollectiveKind::all_to_all;
        for (const auto& own : words.of_ranks) {
            EXPECT_TRUE(!equal_lengths || own.size() == words.of_ranks[0].size());
            for (const Symbol word : own) {
                EXPECT_TRUE(words.type != ElementType::integer || std::abs(word) < 1 << (words.bits - 1)) << word;
                EXPECT_TRUE(words.type != ElementType::magnitude || word >= 0) << word;
            }
        }
        return RankOrderCarrier().carry(exchange, words);
    }
    std::uint32_t carried = 0;
};

TEST(EveryCompressor, BringsWordsThatMergeAndFitTheirWidthInAnOrderThatDependenciesAllow) {
    constexpr std::uint32_t ranks = 4;
    constexpr std::uint64_t elements = 96 * 256 + 300 + 1;
    const std::vector<TensorShape> tensors{
        {0, 96 * 256, 96}, {96 * 256, 96 * 256 + 300, 0}, {96 * 256 + 300, elements, 0}};
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        P params{};
        const auto compressor = make_compressor(LossyKind(params), ranks, 7);
        for (std::uint64_t s = 0; s < 3; ++s) {
            StrictCarrier carrier;
            const CompressionResult step =
                compressor->step(views(testing::random_gradients(ranks, elements, s)), tensors, carrier);
            EXPECT_EQ(step.exchanges.size(), carrier.carried);
            EXPECT_GT(carrier.carried, 0U);
        }
    });
}

}   // namespace
}   // namespace oscar::carrier_test
