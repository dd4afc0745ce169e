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

using Variants = ::testing::Types<ArrayVariant<ARRAY, ARRAY_LANES, ARRAY_STREAMS, ARRAY_CLASSES>>;

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

TYPED_TEST(AnEncoderArray, WritesTheBytesOfTheModelWhateverHoldsItUp) {
    std::size_t raw = 0, coded = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        EncoderArrayBench<TypeParam> bench(seed);
        for (int i = 0; i < 2; ++i) {
            const auto values = static_cast<std::uint32_t>(1 + random() % (i == 0 ? 200 : 64 * 4 * TypeParam::lanes));
            const Message<TypeParam> message(random, values, random() % 4 != 0, 64, 1 + random() % 16);
            const PortStalls none, some{30, 30, 30}, slow_sink{0, 0, 80};
            const PortStalls stalls = seed % 3 == 0 ? none : seed % 3 == 1 ? some : slow_sink;
            expect_bytes_of_the_model(message, bench.encode(message, stalls));
            EXPECT_EQ(bench.refused, 0u);
            for (const Block& block : message.encoded.blocks) ++(block.mode == BlockMode::raw ? raw : coded);
        }
    }
    EXPECT_GT(raw, 20u);
    EXPECT_GT(coded, 60u);
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
/// queue of the lane, the slots that end the streams (STREAMS), the lane (STREAMS + 2, its words leave from a
/// register), the buffer, the sum of the bytes (4), reading and joining (4).
template <class V>
constexpr std::uint64_t latency = 0;

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
        std::vector<std::uint64_t> expected;
        for (const std::uint64_t cycle : cycles_of_beats(chunks_of(message, block)))
            expected.push_back(bench.edges[0].last_symbols + latency<TypeParam> + cycle);
        EXPECT_EQ(bench.edges[0].beats, expected);
        ++blocks;
    }
    EXPECT_GT(blocks, 20u);
}

}   // namespace
}   // namespace oscar::encoder_array_test
