// A verilated decoder lane with the words that it asks for.
#pragma once

#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::test {

/// Bytes as words of 32 bits, with zeros behind their end.
class WordSource {
public:
    explicit WordSource(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::uint32_t word() const {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i)
            word = word << 8 | (at_ + i < bytes_.size() ? std::to_integer<std::uint32_t>(bytes_[at_ + i]) : 0);
        return word;
    }
    void take() { at_ += 4; }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

/// Drives the slots of a decoder lane.
template <class V>
class DecoderBench {
public:
    explicit DecoderBench(std::span<const Table> tables) {
        load(*lane_.operator->(), tables);
        lane_->enable = 1;
        lane_.reset();
    }
    /// Lets the lane decode the streams of a block, each of which has as many symbols as `classes` has; holds it still
    /// in `stalls` of 100 cycles.
    void decode(const RandomBlock<V>& block, std::mt19937_64& random, std::uint32_t stalls) {
        std::vector<WordSource> symbols, offsets;
        for (const CodedStream& stream : block.model) {
            symbols.emplace_back(stream.symbols);
            offsets.emplace_back(stream.offsets);
        }
        std::size_t rounds = 0, values = 0;
        for (const auto& stream : block.symbols) {
            rounds = std::max(rounds, stream.size());
            values += stream.size();
        }
        const std::size_t known = out.size();
        for (std::size_t slot = 0; out.size() < known + values;) {
            const std::size_t s = slot % V::streams, round = slot / V::streams;
            lane_->enable = random() % 100 >= stalls;
            lane_->in_valid = s < block.symbols.size() && round < block.symbols[s].size();
            lane_->in_stream = static_cast<CData>(s);
            lane_->in_first = round == 0;
            if (lane_->in_valid) lane_->in_class = block.symbols[s][round].symbol_class;
            lane_.settle();
            lane_->symbol_word = of(symbols, lane_->symbol_stream).word();
            lane_->offset_word = of(offsets, lane_->offset_stream).word();
            lane_.settle();
            if (lane_->symbol_take) of(symbols, lane_->symbol_stream).take();
            if (lane_->offset_take) of(offsets, lane_->offset_stream).take();
            if (lane_->enable && lane_->in_valid && first_taken_at == 0) first_taken_at = lane_.cycles() + 1;
            const bool moves = lane_->enable;
            lane_.tick();
            if (!moves) continue;
            ++slot;
            error |= lane_->out_valid && lane_->out_error;
            if (!lane_->out_valid) continue;
            if (first_out_at == 0) first_out_at = lane_.cycles();
            out.push_back(static_cast<Symbol>(lane_->out_symbol));
            last_out_at = lane_.cycles();
        }
    }
    std::vector<Symbol> out;
    bool error = false;
    std::uint64_t first_taken_at = 0, first_out_at = 0, last_out_at = 0;   ///< edges

private:
    /// An empty slot may name a stream that the block does not have.
    static WordSource& of(std::vector<WordSource>& streams, std::size_t s) { return streams[s % streams.size()]; }
    Clocked<typename V::Module> lane_;
};

/// Symbols in the order in which the lane decodes them: of all streams in turn.
template <class V>
std::vector<Symbol> in_order_of_slots(const RandomBlock<V>& block) {
    std::vector<Symbol> symbols;
    std::size_t rounds = 0;
    for (const auto& stream : block.symbols) rounds = std::max(rounds, stream.size());
    for (std::size_t round = 0; round < rounds; ++round)
        for (const auto& stream : block.symbols)
            if (round < stream.size()) symbols.push_back(stream[round].symbol);
    return symbols;
}

}   // namespace oscar::test
