// A verilated encoder lane with what its streams become.
#pragma once

#include <gtest/gtest.h>

#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::test {

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

/// Drives the slots of an encoder lane.
template <class V>
class EncoderBench {
public:
    explicit EncoderBench(std::span<const Table> tables) {
        load(*lane_.operator->(), tables);
        lane_.reset();
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

}   // namespace oscar::test
