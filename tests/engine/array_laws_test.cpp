// The cycles of single blocks in the arrays, by the laws of models/engine/rtl/README.md. Against the RTL they are
// tested in tests/engine/rtl/array_cycles_test.cpp.
#include <gtest/gtest.h>

#include <random>

#include "models/codec/kinds/asc.hpp"
#include "models/engine/arrays/decoder_cycles.hpp"
#include "models/engine/arrays/encoder_cycles.hpp"

namespace oscar::array_laws_test {
namespace {

constexpr ArrayShape shape{.lanes = 16};

/// A message of one coded block, whose symbols are small.
struct Message {
    explicit Message(std::uint32_t values, std::uint64_t seed)
        : table(Table::magnitudes(8, normalise(std::array<std::uint64_t, table_rows>{100, 60, 30, 20, 10}))) {
        std::mt19937_64 random(seed);
        for (std::uint32_t i = 0; i < values; ++i) symbols.push_back(static_cast<Symbol>(random() % 5) - 2);
        encoded = make_codec(AscParams{}, framing)->encode(symbols, context, &table);
    }
    ArrayBlock block() const {
        const Block& first = encoded.blocks.at(0);
        EXPECT_EQ(first.mode, BlockMode::coded);
        const std::uint32_t m = framing.sub_streams_for(first.values);
        return {.header = read_header(encoded.bytes),
                .width = 8,
                .sub_streams = m,
                .slots = (first.values + m - 1) / m,
                .symbols = symbols,
                .bytes = encoded.bytes,
                .tables = std::span(&table, 1)};
    }
    static constexpr Framing framing{.lanes = shape.lanes, .lane_values = 512, .min_lane_values = 8};
    Context context{.width = 8};
    Table table;
    std::vector<Symbol> symbols;
    Encoded encoded;
};

/// Edges until the last input was taken, and until the last output was given.
struct Edges {
    Cycles taken = 0, finished = 0;
};
Edges pass(ArrayModel& array, const ArrayBlock& block) {
    array.reset();
    EXPECT_TRUE(array.can_take());
    array.take(block);
    Edges edges;
    for (Cycles edge = 1; edges.finished == 0 && edge < 10'000; ++edge) {
        const ArrayEvents events = array.step();
        if (events.taken) edges.taken = edge;
        if (events.finished) edges.finished = edge;
    }
    return edges;
}

std::size_t chunks(const ArrayBlock& block) {
    const BlockChunks all = chunks_of(block, shape.rows);
    return all.lengths.size() + all.body.size();
}

TEST(EncoderCycles, GivesABlocksLastBeatTwelveCyclesAndAChunkEachAfterItsLastSymbols) {
    for (const std::uint32_t values : {200u, 1000u, 5000u}) {
        const Message message(values, values);
        const ArrayBlock block = message.block();
        const std::uint64_t stalls =
            message.encoded.blocks.at(0).work.stalls;   // of lanes, which queues hide for a while
        EncoderCycles encoder(shape);
        const Edges edges = pass(encoder, block);
        EXPECT_EQ(edges.taken, 1 + block.slots) << "the announcement, then a slot in each cycle";
        // The first chunk is in a beat after 12 cycles; what is left behind the last chunk leaves a cycle later.
        const BlockChunks all = chunks_of(block, shape.rows);
        const std::uint64_t last = all.body.back(), before = (block.bytes.size() - last) % row_bytes;
        const Cycles unstalled = edges.taken + 12 + chunks(block) - 1 + (before + last > row_bytes ? 1 : 0) + 1;
        EXPECT_GE(edges.finished, unstalled);
        EXPECT_LE(edges.finished, unstalled + stalls);
    }
}

TEST(DecoderCycles, GivesABlocksLastSumsEighteenCyclesAfterItsLastChunkAndItsSlots) {
    for (const std::uint32_t values : {200u, 1000u, 5000u}) {
        const Message message(values, values);
        const ArrayBlock block = message.block();
        DecoderCycles decoder(shape);
        const Edges edges = pass(decoder, block);
        // Announced, header, chunks, two cycles in which bytes are added up; then it is loaded.
        const Cycles loaded = 1 + 1 + chunks(block) + 2 + 1;
        EXPECT_EQ(edges.finished, loaded + 18 + block.slots - 1);
    }
}

TEST(BothArrays, RefuseAStreamThatDoesNotFitTheirBuffers) {
    const Message message(5000, 1);
    const ArrayBlock block = message.block();
    const ArrayShape small{.lanes = shape.lanes, .rows = 1};
    EncoderCycles encoder(small);
    encoder.take(block);
    EXPECT_THROW(encoder.step(), std::runtime_error);
    DecoderCycles decoder(small);
    EXPECT_THROW(decoder.take(block), std::runtime_error);
}

}   // namespace
}   // namespace oscar::array_laws_test
