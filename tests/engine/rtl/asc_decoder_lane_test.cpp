// Decoder lanes against the arithmetic coder of the model: symbols and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include "AscDecoderLane1x1.h"
#include "AscDecoderLane1x3.h"
#include "AscDecoderLane2x1.h"
#include "AscDecoderLane4x2.h"
#include "AtalantaDecoderLane1x1.h"
#include "AtalantaDecoderLane4x1.h"
#include "tests/engine/rtl/decoder_bench.hpp"

namespace oscar::asc_decoder_lane_test {
namespace {

using test::DecoderBench;
using test::in_order_of_slots;
using test::random_tables;
using test::RandomBlock;
using test::Variant;

using Variants = ::testing::Types<
    Variant<AscDecoderLane1x1, 1, 1, Layout::magnitude>, Variant<AscDecoderLane1x3, 1, 3, Layout::magnitude>,
    Variant<AscDecoderLane2x1, 2, 1, Layout::magnitude>, Variant<AscDecoderLane4x2, 4, 2, Layout::magnitude>,
    Variant<AtalantaDecoderLane1x1, 1, 1, Layout::ranges>, Variant<AtalantaDecoderLane4x1, 4, 1, Layout::ranges>>;

template <class V>
class ADecoderLane : public ::testing::Test {};
TYPED_TEST_SUITE(ADecoderLane, Variants);

TYPED_TEST(ADecoderLane, ReadsTheSymbolsOfTheModelsStreamsWheneverItIsHeldStill) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const std::vector<Table> tables = random_tables<TypeParam>(random);
        DecoderBench<TypeParam> bench(tables);
        for (int i = 0; i < 4; ++i) {
            const RandomBlock<TypeParam> block(random, tables, 400);
            bench.decode(block, random, i % 2 == 0 ? 0 : 30);
            ASSERT_EQ(bench.out, in_order_of_slots(block)) << "block " << i;
            EXPECT_FALSE(bench.error);
            bench.out.clear();
        }
    }
}

/// Table, STREAMS stages of the recurrence, offset and symbol: the edge that takes a slot is the first of them.
TYPED_TEST(ADecoderLane, PutsASymbolOutInEachCycleAfterAConstantLatency) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 50; ++i) {
        const std::vector<Table> tables = random_tables<TypeParam>(random);
        DecoderBench<TypeParam> bench(tables);
        const RandomBlock<TypeParam> block(random, tables, 300);
        bench.decode(block, random, 0);
        EXPECT_EQ(bench.first_out_at - bench.first_taken_at, TypeParam::streams + 2);
        std::size_t last_slot = 0;
        for (std::size_t s = 0; s < block.symbols.size(); ++s)
            last_slot = std::max(last_slot, (block.symbols[s].size() - 1) * TypeParam::streams + s);
        EXPECT_EQ(bench.last_out_at - bench.first_out_at, last_slot);
    }
}

}   // namespace
}   // namespace oscar::asc_decoder_lane_test
