// The cycle models of the arrays beside the RTL: the same events in every cycle. Seeds are printed.
#include <gtest/gtest.h>

#include ARRAY_ENCODER_HEADER
#include ARRAY_DECODER_HEADER
#include "models/engine/arrays/decoder_cycles.hpp"
#include "models/engine/arrays/encoder_cycles.hpp"
#include "models/engine/verilated/verilated_decoder.hpp"
#include "models/engine/verilated/verilated_encoder.hpp"
#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::array_cycles_test {
namespace {

using Variant = test::ArrayVariant<ARRAY_ENCODER, ARRAY_LANES, ARRAY_STREAMS, ARRAY_CLASSES, Layout{ARRAY_LAYOUT}>;
using Message = test::Message<Variant>;
constexpr ArrayShape shape{.lanes = ARRAY_LANES, .streams = ARRAY_STREAMS, .rows = 32};

ArrayBlock block_of(const Message& message, const Block& block) {
    const auto bytes = message.bytes(block);
    return {.header = message.bare ? make_header(message.context, block.values) : read_header(bytes),
            .bare = message.bare,
            .width = message.context.width,
            .sub_streams = message.sub_streams(block),
            .slots = message.slots(block),
            .symbols = std::span(message.symbols).subspan(block.first_value, block.values),
            .classes = std::span(message.classes).subspan(block.first_value, block.values),
            .bytes = bytes,
            .tables = block.mode == BlockMode::raw ? std::span<const Table>() : message.tables};
}

/// Blocks of messages, each given when both arrays take it and a gap is over.
class SideBySide {
public:
    SideBySide(std::uint64_t seed, std::unique_ptr<ArrayModel> rtl, std::unique_ptr<ArrayModel> cycles)
        : random_(seed), rtl_(std::move(rtl)), cycles_(std::move(cycles)) {
        rtl_->reset();
        cycles_->reset();
    }
    /// Lets a message pass; most cycles between two blocks: `gap`. `loads`: it does not bring its table.
    void pass(const Message& message, std::uint32_t gap, bool loads) {
        const std::span<const Table> tables = loads ? std::span(message.tables) : std::span<const Table>();
        const ArrayModel::Widths widths{message.context.width, message.tables.front().width};
        EXPECT_EQ(rtl_->load(widths, tables), cycles_->load(widths, tables));
        std::size_t given = 0, finished = 0;
        std::uint32_t wait = 0;
        for (std::uint64_t i = 0; finished < message.encoded.blocks.size() && !::testing::Test::HasFailure(); ++i) {
            ASSERT_LT(i, 200'000u) << "they hang";
            ASSERT_EQ(rtl_->can_take(), cycles_->can_take()) << "cycle " << cycle_;
            if (given < message.encoded.blocks.size() && rtl_->can_take() && wait-- == 0) {
                const ArrayBlock block = block_of(message, message.encoded.blocks[given++]);
                rtl_->take(block);
                cycles_->take(block);
                wait = static_cast<std::uint32_t>(random_() % (gap + 1));
            }
            if (wait == UINT32_MAX) wait = 0;
            const ArrayEvents expected = rtl_->step(), events = cycles_->step();
            ASSERT_EQ(events.taken, expected.taken) << "cycle " << cycle_;
            ASSERT_EQ(events.finished, expected.finished) << "cycle " << cycle_;
            finished += events.finished;
            ++cycle_;
        }
    }

private:
    std::mt19937_64 random_;
    std::unique_ptr<ArrayModel> rtl_, cycles_;
    std::uint64_t cycle_ = 0;
};

/// Several random messages: coded, raw, bare and short blocks, some with a table.
void expect_same_cycles(std::uint64_t seed, bool decodes) {
    std::mt19937_64 random(seed);
    SideBySide arrays(
        seed,
        decodes ? std::unique_ptr<ArrayModel>(std::make_unique<VerilatedDecoder<ARRAY_DECODER>>(shape, ARRAY_CLASSES))
                : std::make_unique<VerilatedEncoder<ARRAY_ENCODER>>(shape, ARRAY_CLASSES),
        decodes ? std::unique_ptr<ArrayModel>(std::make_unique<DecoderCycles>(shape))
                : std::make_unique<EncoderCycles>(shape));
    for (int i = 0; i < 3; ++i) {
        const auto values = static_cast<std::uint32_t>(1 + random() % (64 * 6 * shape.lanes));
        const std::uint32_t lane_values = random() % 2 == 0 ? 64 : 20 + static_cast<std::uint32_t>(random() % 100);
        Message message(random, values, random() % 4 != 0, lane_values, 1 + static_cast<std::uint32_t>(random() % 16),
                        false, random() % 3 == 0);
        if (random() % 4 == 0) message.make_bare();
        SCOPED_TRACE(::testing::Message()
                     << "message " << i << " of " << values << " values of " << message.context.width << " bits");
        arrays.pass(message, random() % 2 == 0 ? 0 : static_cast<std::uint32_t>(random() % 40),
                    !(message.brought && !message.bare && decodes));
        if (::testing::Test::HasFailure()) return;
    }
}

class Arrays : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Arrays, EncodersHaveTheCyclesOfTheRtl) { expect_same_cycles(GetParam(), false); }
TEST_P(Arrays, DecodersHaveTheCyclesOfTheRtl) { expect_same_cycles(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Seed, Arrays, ::testing::Range<std::uint64_t>(0, 200));

}   // namespace
}   // namespace oscar::array_cycles_test
