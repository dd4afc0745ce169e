// Decoder arrays against messages of the codec: sums and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include ARRAY_HEADER
#include "tests/engine/rtl/decoder_array_bench.hpp"

namespace oscar::decoder_array_test {
namespace {

using test::ArrayVariant;
using test::DecoderArrayBench;
using test::Message;
using test::packets_of;
using test::SinkStalls;

using Variants = ::testing::Types<ArrayVariant<ARRAY, ARRAY_LANES, ARRAY_STREAMS, ARRAY_CLASSES, Layout{ARRAY_LAYOUT}>>;

template <class V>
class ADecoderArray : public ::testing::Test {};
TYPED_TEST_SUITE(ADecoderArray, Variants, test::VariantName);

template <class V>
std::vector<std::uint32_t> sums_of(const Message<V>& message) {
    std::vector<std::uint32_t> sums;
    for (std::size_t i = 0; i < message.symbols.size(); ++i)
        sums.push_back(static_cast<std::uint32_t>(message.symbols[i]) + DecoderArrayBench<V>::local(i));
    return sums;
}

/// Whatever holds the ports up.
template <class V>
test::CountedBlocks expect_sums_of_random_messages(bool bring_tables) {
    test::CountedBlocks blocks;
    test::for_random_messages<DecoderArrayBench<V>, V>(
        80, bring_tables, [&](DecoderArrayBench<V>& bench, const Message<V>& message, std::uint64_t seed) {
            const SinkStalls none, some{30, 30, 30, 30}, slow_sink{0, 0, 0, 80};
            const SinkStalls stalls = seed % 3 == 0 ? none : seed % 3 == 1 ? some : slow_sink;
            ASSERT_EQ(bench.decode(message, packets_of(message), stalls), sums_of(message));
            ASSERT_EQ(bench.errors, 0u);
            blocks.count(message);
        });
    return blocks;
}

TYPED_TEST(ADecoderArray, AddsTheSymbolsOfTheModelsBytesWhateverHoldsItUp) {
    const auto blocks = expect_sums_of_random_messages<TypeParam>(false);
    EXPECT_GT(blocks.raw, 20u);
    EXPECT_GT(blocks.coded, 60u);
}

TYPED_TEST(ADecoderArray, TakesUpATableThatABlockBringsWhenTheBlocksBeforeAreThrough) {
    EXPECT_GT(expect_sums_of_random_messages<TypeParam>(true).brought, 20u);
}

/// A block that brings a table is behind coded ones of another message, which fill the lanes.
TYPED_TEST(ADecoderArray, LeavesTheTablesOfAMessageAloneUntilItIsThrough) {
    std::size_t pairs = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        Message<TypeParam> message(random, 64 * TypeParam::lanes, true);
        const Message<TypeParam> next(random, 64 * TypeParam::lanes, true, 64, 16, false, true);
        const bool coded = message.encoded.blocks.back().mode == BlockMode::coded;
        if (!coded || !next.brought || next.context.width != message.context.width) continue;
        message.append(next);
        DecoderArrayBench<TypeParam> bench(seed);
        ASSERT_EQ(bench.decode(message, packets_of(message)), sums_of(message));
        ++pairs;
    }
    EXPECT_GT(pairs, 3u);
}

TYPED_TEST(ADecoderArray, RaisesAnErrorForATableThatIsNone) {
    std::size_t damaged = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes, true, 64, 16, false, true);
        if (!message.brought) continue;
        auto packets = packets_of(message);
        packets[0][block_header_bytes] ^= std::byte{0x20};   // of the first count
        bench.decode(message, packets, {}, 0);
        EXPECT_EQ(bench.errors, 1u);
        EXPECT_EQ(bench.decode(message, packets_of(message)), sums_of(message)) << "the next is read as always";
        ++damaged;
    }
    EXPECT_GT(damaged, 10u);
}

TYPED_TEST(ADecoderArray, DecodesBlocksOfOneValueAndOfOneSymbol) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        for (const std::uint32_t values : {1u, 2u, 300u}) {
            const Message<TypeParam> message(random, values, true, 64, 16, true);
            ASSERT_EQ(bench.decode(message, packets_of(message)), sums_of(message));
            ASSERT_EQ(bench.errors, 0u);
        }
    }
}

/// Edges from the one at which a block is loaded to its first sums, a round's STREAMS aside: words fill the queues of
/// the lanes, 4 of each stream one after another (1 + 4 STREAMS + 2), the block begins (1), and its slots pass the lane
/// (STREAMS + 3) and the adder (1).
template <class V>
constexpr std::uint64_t latency = 8 + 5 * V::streams;

TYPED_TEST(ADecoderArray, PutsItsSumsOutAConstantTimeAfterABlockIsLoaded) {
    std::size_t blocks = 0;
    std::uint64_t soonest = UINT64_MAX;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes, true);
        const Block& block = message.encoded.blocks.front();
        if (block.mode == BlockMode::raw) continue;
        bench.decode(message, packets_of(message));
        const auto& edges = bench.edges[0];
        EXPECT_EQ(edges.first_sums, edges.loaded + latency<TypeParam>);
        EXPECT_EQ(edges.last_sums, edges.first_sums + TypeParam::streams * message.slots(block) - 1);
        EXPECT_GE(edges.loaded, edges.last_beat + 1);
        soonest = std::min(soonest, edges.loaded - edges.last_beat);
        ++blocks;
    }
    EXPECT_GT(blocks, 20u);
    EXPECT_LE(soonest, 2u) << "no more than the last chunks wait";
}

/// If the second is loaded early enough: then its first sums follow the last of the first block in the next cycle.
TYPED_TEST(ADecoderArray, DecodesBlocksBehindOneAnotherWithoutAGap) {
    std::size_t followed = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes * 3, true);
        const auto& blocks = message.encoded.blocks;
        if (std::ranges::any_of(blocks, [](const Block& block) { return block.mode == BlockMode::raw; })) continue;
        bench.decode(message, packets_of(message));
        for (std::size_t b = 1; b < blocks.size(); ++b) {
            const std::uint64_t begins = bench.edges[b].loaded + latency<TypeParam>;
            const bool early = begins <= bench.edges[b - 1].last_sums + 1;
            const std::uint64_t soonest = early ? bench.edges[b - 1].last_sums + 1 : begins;
            // Long offsets of the block before keep the memory busy, from which the next one's first words are fetched:
            // array_cycles_test.cpp knows the cycle.
            if (TypeParam::layout == Layout::ranges) EXPECT_GE(bench.edges[b].first_sums, soonest) << "block " << b;
            else EXPECT_EQ(bench.edges[b].first_sums, soonest) << "block " << b;
            followed += early;
            ++all;
        }
    }
    EXPECT_GT(all, 10u);
    EXPECT_GT(followed, TypeParam::lanes <= 8 ? 5u : 0u);
}

TYPED_TEST(ADecoderArray, RaisesAnErrorForADamagedBlockAndDecodesTheOthers) {
    std::size_t damaged = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        DecoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes * 3, true);
        const auto& blocks = message.encoded.blocks;
        if (std::ranges::any_of(blocks, [](const Block& block) { return block.mode == BlockMode::raw; })) continue;
        std::vector<std::uint32_t> expected;
        for (const std::size_t b : {0u, 2u})
            for (std::uint32_t i = blocks[b].first_value; i < blocks[b].first_value + blocks[b].values; ++i)
                expected.push_back(static_cast<std::uint32_t>(message.symbols[i]) +
                                   DecoderArrayBench<TypeParam>::local(expected.size()));
        const auto expect_error = [&](const char* what, auto damage) {
            SCOPED_TRACE(what);
            auto packets = packets_of(message);
            damage(packets[1]);
            EXPECT_EQ(bench.decode(message, packets, {}, 1), expected);
            EXPECT_EQ(bench.errors, 1u);
            ++damaged;
        };
        for (std::size_t k = 0; k < 16; ++k)
            expect_error("a byte of the header", [k](auto& packet) { packet[k] ^= std::byte{2}; });
        expect_error("a length", [](auto& packet) { packet[16] ^= std::byte{0x80}; });
        expect_error("the last byte is missing", [](auto& packet) { packet.pop_back(); });
        expect_error("a byte too many", [](auto& packet) { packet.push_back(std::byte{}); });
        expect_error("64 bytes too many", [](auto& packet) { packet.resize(packet.size() + 64); });
        expect_error("half is missing", [](auto& packet) { packet.resize(packet.size() / 2); });
        expect_error("only a header", [](auto& packet) { packet.resize(16); });
        expect_error("not even a header", [](auto& packet) { packet.resize(7); });
    }
    EXPECT_GT(damaged, 50u);
}

TYPED_TEST(ADecoderArray, RaisesAnErrorForARawBlockThatIsCutShort) {
    std::mt19937_64 random(1);
    std::size_t raw = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        DecoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes, false);
        if (message.encoded.blocks[0].mode != BlockMode::raw) continue;
        auto packets = packets_of(message);
        packets[0].resize(packets[0].size() - 70);
        bench.decode(message, packets);
        EXPECT_EQ(bench.errors, 1u);
        EXPECT_EQ(bench.decode(message, packets_of(message)), sums_of(message)) << "the next is read as always";
        ++raw;
    }
    EXPECT_GT(raw, 5u);
}

}   // namespace
}   // namespace oscar::decoder_array_test
