// Messages of values and indices, and what receivers make of them.
#include "models/compressor/sparse/sparse_wire.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace oscar::sparse_wire_test {
namespace {

using ::testing::ElementsAre;

/// Two tensors, [0, 4) and [4, 6), and two ranks; rank 1 says less.
std::vector<SparseMessage> example() { return {{0, 4, {{0, 2}, {0}}, {{1, 2}, {4}}}, {4, 6, {{1}, {}}, {{8}, {}}}}; }

/// sent_step() by a carrier that merges at once.
CompressionResult carried_step(std::vector<SparseMessage> messages, std::size_t ranks, std::uint64_t elements,
                               const SparseWire& wire, MessageForm form) {
    RankOrderCarrier carrier;
    return sent_step(std::move(messages), ranks, elements, wire, form, carrier);
}

TEST(SparseStep, AddsWhatEachRankSaysAndDividesByTheRanks) {
    const CompressionResult step = carried_step(example(), 2, 6, {}, {});
    EXPECT_THAT(step.mean, ElementsAre(2.5f, 0, 1, 0, 0, 4));
    EXPECT_THAT(step.sent, ElementsAre(ElementsAre(1, 0, 2, 0, 0, 8), ElementsAre(4, 0, 0, 0, 0, 0)));
}

TEST(SparseStep, LetsPaddingUndoElementZeroAsPublished) {
    SparseWire wire;
    wire.scatter = Scatter::overwrite;
    // Rank 1 pads its one entry to two by index 0, value 0: its 4 for element 0 is lost.
    EXPECT_THAT(carried_step(example(), 2, 6, wire, {}).mean, ElementsAre(0.5f, 0, 1, 0, 0, 4));
    wire.scatter = Scatter::accumulate;
    EXPECT_THAT(carried_step(example(), 2, 6, wire, {}).mean, ElementsAre(2.5f, 0, 1, 0, 0, 4));
}

TEST(SparseStep, CountsAnElementThatWasDrawnTwiceOnceUnlessItAccumulates) {
    const std::vector<SparseMessage> twice{{0, 2, {{1, 1}}, {{3, 3}}}};
    for (const auto& [scatter, expected] :
         {std::pair{Scatter::corrected, 3.0f}, {Scatter::overwrite, 3.0f}, {Scatter::accumulate, 6.0f}}) {
        SparseWire wire;
        wire.scatter = scatter;
        const CompressionResult step = carried_step(twice, 1, 2, wire, {});
        EXPECT_THAT(step.mean, ElementsAre(0, expected));
        EXPECT_THAT(step.sent[0], ElementsAre(0, 3));
        EXPECT_EQ(step.exchanges[0].padded, 2 * 8u);
    }
}

TEST(SparseStep, GathersEachTensorPaddedToItsLongestMessage) {
    const CompressionResult step = carried_step(example(), 2, 6, {}, {});
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_gather);
    EXPECT_THAT(step.exchanges[0].payload, ElementsAre(16, 8));
    EXPECT_EQ(step.exchanges[0].padded, 16u);
    EXPECT_EQ(step.exchanges[0].floats, 2u);
    EXPECT_THAT(step.exchanges[1].payload, ElementsAre(8, 0));
}

TEST(SparseStep, TellsSizesBeforeWhereTheyAreUnknown) {
    const CompressionResult step = carried_step(example(), 2, 6, {}, {false, false});
    ASSERT_EQ(step.exchanges.size(), 4u);
    EXPECT_EQ(step.exchanges[0].what, "sizes");
    EXPECT_EQ(step.exchanges[0].padded, 8u);
    EXPECT_EQ(step.exchanges[0].floats, 0u);
    EXPECT_THAT(step.exchanges[1].after, ElementsAre(0));
    EXPECT_THAT(step.exchanges[3].after, ElementsAre(2));
}

TEST(SparseStep, SendsOnlySizesWhereNobodyHasAnythingToSay) {
    const CompressionResult step = carried_step({{0, 2, {{}, {}}, {{}, {}}}}, 2, 2, {}, {false, false});
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].what, "sizes");
    EXPECT_THAT(step.mean, ElementsAre(0, 0));
}

TEST(SparseStep, FusesTensorsIntoOneMessagePaddedOnce) {
    SparseWire wire;
    wire.messages = Messages::fused;
    const CompressionResult step = carried_step(example(), 2, 6, wire, {false, false});
    ASSERT_EQ(step.exchanges.size(), 2u);
    EXPECT_THAT(step.exchanges[1].payload, ElementsAre(24, 8));
    EXPECT_EQ(step.exchanges[1].padded, 24u);
    EXPECT_THAT(step.mean, ElementsAre(2.5f, 0, 1, 0, 0, 4));
}

TEST(SparseStep, ReducesValuesAloneWherePositionsAreShared) {
    const CompressionResult step = carried_step({{0, 3, {{0, 2}, {0, 2}}, {{1, 2}, {3, 4}}}}, 2, 3, {}, {true, true});
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(step.exchanges[0].padded, 8u);   // two fp32 values
    EXPECT_THAT(step.mean, ElementsAre(2, 0, 3));
    EXPECT_EQ(step.operations.additions, 0u);
}

TEST(SparseStep, CountsWidthsOfIndicesAndValuesAndFloatsAsTold) {
    SparseWire wire;
    wire.index_bytes = 8;
    wire.value_bytes = 2;
    wire.floats = CountedFloats::values_and_indices;
    const CompressionResult step = carried_step(example(), 2, 6, wire, {});
    // 2 values in a word and their indices in 4, 1 value in a word and its index in 2.
    EXPECT_THAT(step.exchanges[0].payload, ElementsAre(20, 12));
    EXPECT_EQ(step.exchanges[0].floats, 4u);
}

TEST(SparseStep, RoundsValuesOfTwoBytesBeforeTheyAreSent) {
    SparseWire wire;
    wire.value_bytes = 2;
    const float third = 1.0f / 3;
    const CompressionResult step = carried_step({{0, 1, {{0}}, {{third}}}}, 1, 1, wire, {});
    EXPECT_EQ(step.sent[0][0], 0x1.554p-2f);   // 1/3 = 1.0101..b * 2^-2, ten places kept
    EXPECT_EQ(step.mean[0], step.sent[0][0]);
}

TEST(SparseWire, RefusesOddWidths) {
    SparseWire wire;
    wire.index_bytes = 6;
    EXPECT_THROW(check_wire(wire), std::invalid_argument);
    wire = {};
    wire.value_bytes = 3;
    EXPECT_THROW(check_wire(wire), std::invalid_argument);
}

TEST(RoundedToHalf, IsTheNearestWithHalvesToEven) {
    EXPECT_EQ(rounded_to_half(1), 1);
    EXPECT_EQ(rounded_to_half(1 + 0x1p-11f), 1);             // halfway to 1 + 2^-10, which is odd
    EXPECT_EQ(rounded_to_half(1 + 0x3p-11f), 1 + 0x1p-9f);   // halfway, upwards to even
    EXPECT_EQ(rounded_to_half(-(1 + 0x1.8p-11f)), -(1 + 0x1p-10f));
    EXPECT_EQ(rounded_to_half(65504), 65504);
    EXPECT_EQ(rounded_to_half(0x1p-24f), 0x1p-24f);   // the smallest
    EXPECT_EQ(rounded_to_half(0x1p-25f), 0);          // half of it, to even
    EXPECT_EQ(rounded_to_half(0x1.8p-24f), 0x1p-23f);
    EXPECT_TRUE(std::signbit(rounded_to_half(-0.0f)));
    EXPECT_THROW(rounded_to_half(65520), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::sparse_wire_test
