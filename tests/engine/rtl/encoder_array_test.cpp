// Encoder arrays against messages of the codec: bytes and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include ARRAY_HEADER
#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/lane_coder.hpp"
#include "tests/engine/rtl/encoder_array_bench.hpp"

namespace oscar::encoder_array_test {
namespace {

using test::ArrayVariant;
using test::EncoderArrayBench;
using test::Message;
using test::PortStalls;

using Variants = ::testing::Types<ArrayVariant<ARRAY, ARRAY_LANES, ARRAY_STREAMS, ARRAY_CLASSES, Layout{ARRAY_LAYOUT}>>;

template <class V>
class AnEncoderArray : public ::testing::Test {};
TYPED_TEST_SUITE(AnEncoderArray, Variants, test::VariantName);

template <class V>
void expect_bytes_of_the_model(const Message<V>& message, const std::vector<std::vector<std::byte>>& packets) {
    ASSERT_EQ(packets.size(), message.encoded.blocks.size());
    for (std::size_t b = 0; b < packets.size(); ++b) {
        const auto expected = message.bytes(message.encoded.blocks[b]);
        ASSERT_EQ(packets[b], std::vector(expected.begin(), expected.end())) << "block " << b;
    }
}

/// Whatever holds the ports up.
template <class V>
test::CountedBlocks expect_bytes_of_random_messages(bool bring_tables) {
    test::CountedBlocks blocks;
    test::for_random_messages<EncoderArrayBench<V>, V>(
        80, bring_tables, [&](EncoderArrayBench<V>& bench, const Message<V>& message, std::uint64_t seed) {
            const PortStalls none, some{30, 30, 30}, slow_sink{0, 0, 80};
            expect_bytes_of_the_model(message, bench.encode(message, seed % 3 == 0   ? none
                                                                     : seed % 3 == 1 ? some
                                                                                     : slow_sink));
            EXPECT_EQ(bench.refused, 0u);
            blocks.count(message);
        });
    return blocks;
}

TYPED_TEST(AnEncoderArray, WritesTheBytesOfTheModelWhateverHoldsItUp) {
    const auto blocks = expect_bytes_of_random_messages<TypeParam>(false);
    EXPECT_GT(blocks.raw, 20u);
    EXPECT_GT(blocks.coded, 60u);
}

TYPED_TEST(AnEncoderArray, SendsATableInsideTheFirstCodedBlock) {
    EXPECT_GT(expect_bytes_of_random_messages<TypeParam>(true).brought, 20u);
}

TYPED_TEST(AnEncoderArray, CodesBlocksOfOneValueAndOfOneSymbol) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        for (const std::uint32_t values : {1u, 2u, 300u}) {
            const Message<TypeParam> message(random, values, true, 64, 16, true);
            expect_bytes_of_the_model(message, bench.encode(message));
        }
    }
}

/// More than 16 bits for each slot of its queue come at once in lane 0, while the others have one bit for each symbol:
/// it holds the distributor up as soon as its queue is full.
TYPED_TEST(AnEncoderArray, WaitsForALaneWhoseQueueIsFull) {
    constexpr std::size_t rounds = 40, lanes = TypeParam::lanes * TypeParam::streams;
    std::vector<Symbol> symbols(rounds * lanes, 0);
    for (std::size_t round = 0; round < rounds; ++round)   // all different behind the long code
        symbols[round * lanes] = round < 30 ? 1 : static_cast<Symbol>(round - 30);
    const Message<TypeParam> message(test::straddling_table(TypeParam::layout, 24), symbols,
                                     rounds * TypeParam::streams);
    ASSERT_EQ(message.encoded.blocks.size(), 1u);
    ASSERT_EQ(message.sub_streams(message.encoded.blocks[0]), lanes);
    EXPECT_GT(message.encoded.blocks[0].work.stalls, 8u);
    EncoderArrayBench<TypeParam> bench(1);
    expect_bytes_of_the_model(message, bench.encode(message));
}

/// Sizes of the chunks of a coded block, one a cycle: header and lengths of eight sub-streams, further eights, and 64
/// bytes of a sub-stream or the rest of it.
template <class V>
std::vector<std::uint64_t> chunks_of(const Message<V>& message, const Block& block) {
    const std::uint32_t m = message.sub_streams(block);
    const std::uint32_t bits = LaneCoder::length_bits(block.values, message.context.width, m);
    std::vector<std::uint64_t> chunks;
    for (std::uint32_t s = 0; s < m; s += 8)
        chunks.push_back((s == 0 ? 16 : 0) + bytes_for(std::uint64_t{2} * bits * std::min(8u, m - s)));
    BitReader lengths(message.bytes(block).subspan(16));
    for (std::uint32_t s = 0; s < m; ++s) {
        const std::uint64_t symbols = bytes_for(lengths.get(bits)), both = symbols + bytes_for(lengths.get(bits));
        for (std::uint64_t at = 0; at < both; at += 64) chunks.push_back(std::min<std::uint64_t>(64, both - at));
    }
    return chunks;
}

/// Chunk c of the block goes into a beat c cycles after the first; a beat leaves with the chunk that fills it, and what
/// is left behind the last chunk a cycle later.
std::vector<std::uint64_t> cycles_of_beats(const std::vector<std::uint64_t>& chunks) {
    std::vector<std::uint64_t> cycles;
    std::uint64_t bytes = 0;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        bytes += chunks[c];
        if (cycles.size() < bytes / 64) cycles.push_back(c);   // a chunk fills one beat at most
    }
    const std::size_t end = chunks.size() - 1;
    const bool fills = !cycles.empty() && cycles.back() == end;
    if (bytes % 64 != 0) cycles.push_back(fills ? end + 1 : end);
    return cycles;
}

/// Edges from the one that takes a block's last symbols to that with which its first chunk can be in a valid beat: the
/// slots that end the streams (STREAMS), the queue of the lane (1), the lane (STREAMS + 2, its words leave from a
/// register), the buffer (1), the sum of the bytes (2), and reading, choosing, joining and the beat (4). Slots of a
/// lane wait for their turn for less than STREAMS cycles.
template <class V>
constexpr std::uint64_t latency = 10 + 2 * V::streams;

TYPED_TEST(AnEncoderArray, PutsItsBeatsOutAConstantTimeAfterTheLastSymbols) {
    std::size_t blocks = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        const auto values = static_cast<std::uint32_t>(1 + random() % (64 * TypeParam::lanes));
        const Message<TypeParam> message(random, values, true, 64, 1 + random() % 16);
        const Block& block = message.encoded.blocks.front();
        if (block.mode == BlockMode::raw || block.work.stalls > 0) continue;
        bench.encode(message);
        ASSERT_FALSE(bench.edges[0].beats.empty());
        const std::vector<std::uint64_t> cycles = cycles_of_beats(chunks_of(message, block));
        const std::uint64_t first_chunk = bench.edges[0].beats[0] - cycles[0];
        EXPECT_GE(first_chunk, bench.edges[0].last_symbols + latency<TypeParam>);
        EXPECT_LT(first_chunk, bench.edges[0].last_symbols + latency<TypeParam> + TypeParam::streams);
        std::vector<std::uint64_t> expected;
        for (const std::uint64_t cycle : cycles) expected.push_back(first_chunk + cycle);
        EXPECT_EQ(bench.edges[0].beats, expected);
        ++blocks;
    }
    EXPECT_GT(blocks, 20u);
}

/// A round of slots for each symbol of the fullest sub-stream, and one to end the streams. The third block waits until
/// the first has left one of the two halves of the buffers.
TYPED_TEST(AnEncoderArray, TakesBlocksBehindOneAnotherWithARoundBetween) {
    std::size_t followed = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes * 3, true);
        const auto& blocks = message.encoded.blocks;
        ASSERT_EQ(blocks.size(), 3u);
        const auto codes = [](const Block& block) { return block.mode != BlockMode::raw && block.work.stalls == 0; };
        if (!std::ranges::all_of(blocks, codes)) continue;
        bench.encode(message);
        const std::uint64_t round = TypeParam::streams, block = round * (message.slots(blocks[0]) + 1);
        EXPECT_EQ(bench.edges[1].first_symbols, bench.edges[0].first_symbols + block);
        EXPECT_EQ(bench.edges[1].first_symbols, bench.edges[0].last_symbols + round + 1);
        EXPECT_GE(bench.edges[2].first_symbols, bench.edges[1].first_symbols + block);
        ++followed;
    }
    EXPECT_GT(followed, 5u);
}

TYPED_TEST(AnEncoderArray, RefusesBlocksThatCodingWouldNotShrink) {
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes * 2, seed % 2 == 0);
        const auto packets = bench.encode(message, {}, true);
        std::size_t raw = 0;
        for (const Block& block : message.encoded.blocks) raw += block.mode == BlockMode::raw;
        EXPECT_EQ(bench.refused, raw);
        EXPECT_EQ(packets.size(), message.encoded.blocks.size() - raw);
        refused += raw;
        expect_bytes_of_the_model(message, bench.encode(message));
    }
    EXPECT_GT(refused, 10u);
}

/// As long as the packed symbols of a beat fit 64 bytes. A raw block behind a coded one waits for that.
TYPED_TEST(AnEncoderArray, TakesABeatOfARawBlockInEachCycle) {
    std::size_t raw = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        const Message<TypeParam> message(random, 64 * TypeParam::lanes, false);
        const Block& block = message.encoded.blocks[0];
        if (block.mode != BlockMode::raw || TypeParam::lanes * message.context.width > 512) continue;
        bench.encode(message);
        // Two beats are taken before the header is out: they wait for it.
        EXPECT_LE(bench.edges[0].last_symbols - bench.edges[0].first_symbols,
                  TypeParam::streams * message.slots(block) - 1 + 4);
        ++raw;
    }
    EXPECT_GT(raw, 5u);
}

}   // namespace
}   // namespace oscar::encoder_array_test
