// Encoder lanes against the arithmetic coder of the model: bits and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include "AscEncoderLane1x1.h"
#include "AscEncoderLane1x3.h"
#include "AscEncoderLane2x1.h"
#include "AscEncoderLane4x2.h"
#include "AtalantaEncoderLane1x1.h"
#include "AtalantaEncoderLane4x1.h"
#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::asc_encoder_lane_test {
namespace {

using test::CodedStream;
using test::LaneSymbol;

/// A verilated lane and what is known of it.
template <class LaneModule, std::uint32_t streams_, std::uint32_t classes_, Layout layout_>
struct Variant {
    using Module = LaneModule;
    static constexpr std::uint32_t streams = streams_, classes = classes_;
    static constexpr Layout layout = layout_;
};
using Variants = ::testing::Types<
    Variant<AscEncoderLane1x1, 1, 1, Layout::magnitude>, Variant<AscEncoderLane1x3, 1, 3, Layout::magnitude>,
    Variant<AscEncoderLane2x1, 2, 1, Layout::magnitude>, Variant<AscEncoderLane4x2, 4, 2, Layout::magnitude>,
    Variant<AtalantaEncoderLane1x1, 1, 1, Layout::ranges>, Variant<AtalantaEncoderLane4x1, 4, 1, Layout::ranges>>;

/// Words of one stream as they leave the lane.
struct Words {
    std::vector<std::uint32_t> words;
    std::uint64_t bits = 0, finished_at = 0;
    bool finished = false;
    std::vector<std::byte> bytes() const {
        std::vector<std::byte> result;
        for (const std::uint32_t word : words)
            for (int shift = 24; shift >= 0; shift -= 8) result.push_back(static_cast<std::byte>(word >> shift));
        result.resize((bits + 7) / 8);
        return result;
    }
};

template <class V>
class Bench {
public:
    explicit Bench(std::span<const Table> tables) {
        test::load(*lane_.operator->(), tables);
        lane_->rst = 1;
        lane_.tick();
        lane_->rst = 0;
    }
    /// Puts the slots of a block into the lane, the streams in turn, without a gap.
    void code(const std::vector<std::vector<LaneSymbol>>& block) {
        std::size_t rounds = 0;
        for (const auto& stream : block) rounds = std::max(rounds, stream.size() + 1);
        for (std::size_t round = 0; round < rounds; ++round)
            for (std::uint32_t s = 0; s < V::streams; ++s) {
                lane_->in_valid = s < block.size() && round <= block[s].size();
                lane_->in_stream = static_cast<CData>(s);
                if (lane_->in_valid) put(block[s], round);
                step();
            }
        lane_->in_valid = 0;
    }
    void step() {
        lane_.settle();
        while (!lane_->in_ready) tick();
        if (lane_->in_valid && lane_->in_finish) finish_taken_at_ = lane_.cycles();
        tick();
    }
    void tick() {
        lane_.tick();
        if (lane_->symbol_words > 0) take(symbols[lane_->symbol_stream], lane_->symbol_data >> 32);
        if (lane_->symbol_words > 1) take(symbols[lane_->symbol_stream], lane_->symbol_data & 0xFFFFFFFF);
        if (lane_->symbol_finish) finish(symbols[lane_->symbol_stream], lane_->symbol_bits);
        if (lane_->offset_word) take(offsets[lane_->offset_stream], lane_->offset_data);
        if (lane_->offset_finish) finish(offsets[lane_->offset_stream], lane_->offset_stream_bits);
    }
    bool finished(std::size_t streams) const {
        for (std::size_t s = 0; s < streams; ++s)
            if (!symbols[s].finished || !offsets[s].finished) return false;
        return true;
    }
    void expect_equal(std::span<const CodedStream> model) {
        for (std::size_t s = 0; s < model.size(); ++s) {
            ASSERT_EQ(symbols[s].bits, model[s].symbol_bits) << "stream " << s;
            ASSERT_EQ(symbols[s].bytes(), model[s].symbols) << "stream " << s;
            ASSERT_EQ(offsets[s].bits, model[s].offset_bits) << "stream " << s;
            ASSERT_EQ(offsets[s].bytes(), model[s].offsets) << "stream " << s;
        }
        symbols = offsets = {};
    }
    std::uint64_t cycles() const { return lane_.cycles(); }
    std::uint64_t finish_taken_at() const { return finish_taken_at_; }
    std::array<Words, V::streams> symbols, offsets;

private:
    void put(const std::vector<LaneSymbol>& stream, std::size_t i) {
        lane_->in_first = i == 0;
        lane_->in_finish = i == stream.size();
        if (i == stream.size()) return;
        lane_->in_symbol = static_cast<std::uint32_t>(stream[i].symbol);
        lane_->in_class = stream[i].symbol_class;
    }
    void take(Words& stream, std::uint64_t word) {
        EXPECT_FALSE(stream.finished);
        stream.words.push_back(static_cast<std::uint32_t>(word));
    }
    void finish(Words& stream, std::uint64_t bits) {
        stream.bits = bits;
        stream.finished = true;
        stream.finished_at = lane_.cycles();
    }
    Clocked<typename V::Module> lane_;
    std::uint64_t finish_taken_at_ = 0;
};

template <class V>
struct RandomBlock {
    explicit RandomBlock(std::mt19937_64& random, std::span<const Table> tables, std::size_t most) {
        const std::size_t streams = 1 + random() % V::streams, values = 1 + random() % most;
        const bool as_expected = random() % 3 != 0;
        for (std::size_t s = 0; s < streams; ++s) {
            auto& stream = symbols.emplace_back();
            for (std::size_t i = 0; i < values + (s == 0 ? random() % 2 : 0); ++i) {
                const auto c = static_cast<std::uint8_t>(random() % V::classes);
                stream.push_back({test::random_symbol(random, tables[c], as_expected), c});
            }
            model.push_back(test::coded(stream, tables));
        }
    }
    std::vector<std::vector<LaneSymbol>> symbols;
    std::vector<CodedStream> model;
};

template <class V>
std::vector<Table> random_tables(std::mt19937_64& random) {
    constexpr std::array widths{8u, 11u, 16u, 20u, 32u};
    const std::uint32_t width = widths[random() % widths.size()];
    std::vector<Table> tables;
    for (std::uint32_t c = 0; c < V::classes; ++c) tables.push_back(test::random_table(random, V::layout, width));
    return tables;
}

template <class V>
class AnEncoderLane : public ::testing::Test {};
TYPED_TEST_SUITE(AnEncoderLane, Variants);

TYPED_TEST(AnEncoderLane, WritesTheBitsOfTheModelForBlocksBackToBack) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const std::vector<Table> tables = random_tables<TypeParam>(random);
        Bench<TypeParam> bench(tables);
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
        Bench<TypeParam> bench(tables);
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

}   // namespace
}   // namespace oscar::asc_encoder_lane_test
