// Encoder lanes against the arithmetic coder of the model: bits and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include "AscEncoderLane1x1.h"
#include "AscEncoderLane1x3.h"
#include "AscEncoderLane2x1.h"
#include "AscEncoderLane4x2.h"
#include "AtalantaEncoderLane1x1.h"
#include "AtalantaEncoderLane4x1.h"
#include "tests/engine/rtl/encoder_bench.hpp"

namespace oscar::asc_encoder_lane_test {
namespace {

using test::CodedStream;
using test::EncoderBench;
using test::LaneSymbol;
using test::random_tables;
using test::RandomBlock;
using test::Variant;

using Variants = ::testing::Types<
    Variant<AscEncoderLane1x1, 1, 1, Layout::magnitude>, Variant<AscEncoderLane1x3, 1, 3, Layout::magnitude>,
    Variant<AscEncoderLane2x1, 2, 1, Layout::magnitude>, Variant<AscEncoderLane4x2, 4, 2, Layout::magnitude>,
    Variant<AtalantaEncoderLane1x1, 1, 1, Layout::ranges>, Variant<AtalantaEncoderLane4x1, 4, 1, Layout::ranges>>;

template <class V>
class AnEncoderLane : public ::testing::Test {};
TYPED_TEST_SUITE(AnEncoderLane, Variants);

TYPED_TEST(AnEncoderLane, WritesTheBitsOfTheModelForBlocksBackToBack) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const std::vector<Table> tables = random_tables<TypeParam>(random);
        EncoderBench<TypeParam> bench(tables);
        for (int i = 0; i < 4; ++i) {
            const RandomBlock<TypeParam> block(random, tables, 400);
            bench.code(block.symbols);
            while (!bench.finished(block.symbols.size())) bench.step();
            ASSERT_NO_FATAL_FAILURE(bench.expect_equal(block.model));
        }
    }
}

/// A slot takes a cycle, and the packer's stalls; the last word is out a constant number of cycles after the finish.
TYPED_TEST(AnEncoderLane, TakesACycleForEachSlotAndTheStallsOfItsPacker) {
    std::mt19937_64 random(1);
    std::uint64_t stalls = 0;
    for (int i = 0; i < 200; ++i) {
        const std::vector<Table> tables = random_tables<TypeParam>(random);
        EncoderBench<TypeParam> bench(tables);
        const RandomBlock<TypeParam> block(random, tables, 300);
        const std::uint64_t begin = bench.cycles();
        bench.code(block.symbols);
        std::size_t rounds = 0;
        std::uint64_t of_block = 0;
        for (const auto& stream : block.symbols) rounds = std::max(rounds, stream.size() + 1);
        for (const CodedStream& stream : block.model) of_block += stream.stalls;
        while (!bench.finished(block.symbols.size())) bench.step();
        std::uint64_t last = 0;
        for (const auto& words : bench.symbols) last = std::max(last, words.finished_at);
        // Row, table, STREAMS stages of the recurrence, packer: the edge that takes the finish is the first of them.
        const std::uint64_t latency = TypeParam::streams + 2;
        const std::uint64_t slots = rounds * TypeParam::streams, taken = bench.finish_taken_at() + 1 - begin;
        const std::uint64_t after_finish = slots - 1 - (slots - 1) % TypeParam::streams;   // slots of other streams
        EXPECT_GE(taken, after_finish + 1);
        EXPECT_LE(taken, slots + of_block);
        EXPECT_GE(last - begin, taken + latency);
        EXPECT_LE(last - begin, slots + of_block + latency + 1) << "a finish of more than 16 bits takes one more";
        EXPECT_EQ(bench.cycles() - begin, last - begin);
        stalls += of_block;
    }
    EXPECT_GT(stalls, 0u);
}

TYPED_TEST(AnEncoderLane, ReleasesThousandsOfHeldBitsAtOnce) {
    const Table table = test::straddling_table(TypeParam::layout, 8);
    const std::vector<Table> tables(TypeParam::classes, table);
    for (const Symbol last : {0, 2}) {   // rows below and above the middle
        EncoderBench<TypeParam> bench(tables);
        std::vector<LaneSymbol> symbols(500, LaneSymbol{1, 0});
        symbols.push_back({last, 0});
        const std::vector<CodedStream> model{test::coded(symbols, tables)};
        EXPECT_GT(model[0].stalls, 200u);   // more than 16 * 200 bits come at once
        bench.code({symbols});
        while (!bench.finished(1)) bench.step();
        ASSERT_NO_FATAL_FAILURE(bench.expect_equal(model));
    }
}

}   // namespace
}   // namespace oscar::asc_encoder_lane_test
