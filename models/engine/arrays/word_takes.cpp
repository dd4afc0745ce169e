#include "models/engine/arrays/word_takes.hpp"

#include "models/codec/entropy/arithmetic_coder.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t word_bits = 32;

/// What the coder consumes of one sub-stream, symbol for symbol.
class Consumption {
public:
    Consumption(std::span<const RowBounds> bounds, WordTakes::Kind kind) : bounds_(bounds), kind_(kind) {}
    std::uint32_t next(const Table& table, std::size_t symbol_class, Symbol symbol) {
        const std::uint32_t row = table.locate(symbol).row;
        if (kind_ == WordTakes::Kind::offsets) return table.offset_bits[row];
        const RowBounds& bounds = bounds_[symbol_class];
        const std::uint32_t first = first_;   // the code that the first row is found by
        first_ = 0;
        return first + interval_.narrow(bounds.below(row), bounds.above(row)).shift;
    }

private:
    std::span<const RowBounds> bounds_;
    WordTakes::Kind kind_;
    CodingInterval interval_;
    std::uint32_t first_ = 16;
};

}   // namespace

WordTakes::WordTakes(const ArrayBlock& block, const ArrayShape& shape, Kind kind)
    : words_((shape.lanes + 63) / 64),
      streams_(shape.streams),
      lanes_(std::size_t{block.slots} * shape.streams * words_) {
    std::vector<RowBounds> bounds;
    for (const Table& table : block.tables) bounds.emplace_back(table.cumulative);
    const std::uint32_t m = block.sub_streams;
    for (std::uint32_t s = 0; s < m; ++s) {
        const std::uint32_t lane = s % shape.lanes, stream = s / shape.lanes;
        Consumption consumption(bounds, kind);
        std::uint32_t held = 0, round = 0;   // bits of words that were taken
        for (std::size_t i = s; i < block.symbols.size(); i += m, ++round) {
            const std::size_t c = block.classes.empty() ? 0 : block.classes[i];
            if (held < word_bits) {
                held += word_bits;
                lanes_[(std::size_t{round} * streams_ + stream) * words_ + lane / 64] |= std::uint64_t{1} << lane % 64;
            }
            held -= consumption.next(block.tables[c], c, block.symbols[i]);
        }
    }
}

}   // namespace oscar
