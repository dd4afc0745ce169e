#include "models/codec/table_codec.hpp"

#include "models/codec/block_message.hpp"
#include "models/codec/packed.hpp"
#include "models/codec/row_learning.hpp"

namespace oscar {

TableCodec::TableCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder)
    : framing_(framing), coder_(std::move(coder)) {
    require_valid(framing);
}

Encoded TableCodec::encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const {
    require_legal(symbols, context.width);
    if (symbols.empty()) return {};
    const bool brings_table = tables.none() || table_source() == TableSource::sent_inline;
    if (!brings_table) return encode_message(symbols, context, framing_, *coder_, tables, false);
    Counts counts;
    learn(symbols, context.width, counts);
    const Table own = make_table(counts, context.width);
    return encode_message(symbols, context, framing_, *coder_, &own, true);
}

std::vector<Block> TableCodec::decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                                      std::span<Symbol> out) const {
    const bool brings_table = table_source() == TableSource::sent_inline;
    return decode_message(bytes, context, framing_, *coder_, brings_table ? Tables() : tables, out);
}

Bytes TableCodec::bound(std::size_t symbols, std::uint32_t width) const {
    return message_bound(symbols, width, framing_);
}

std::uint32_t TableCodec::cost(Symbol symbol, std::uint32_t width, const Table* table) const {
    return table != nullptr ? table->cost(symbol) : width * 256;
}

void TableCodec::learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const {
    learn_rows(*coder_->layout(), symbols, width, counts);
}

Table TableCodec::make_table(const Counts& counts, std::uint32_t width) const {
    return table_of_counts(*coder_->layout(), counts, width);
}

}   // namespace oscar
