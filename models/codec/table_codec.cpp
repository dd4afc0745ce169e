#include "models/codec/table_codec.hpp"

#include "models/codec/block_message.hpp"
#include "models/codec/packed.hpp"
#include "models/codec/row_learning.hpp"

namespace oscar {

TableCodec::TableCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder)
    : framing_(framing), coder_(std::move(coder)) {
    require_valid(framing);
}

Encoded TableCodec::encode(std::span<const Symbol> symbols, const Context& context, const Table* table) const {
    require_legal(symbols, context.width);
    if (table_source() == TableSource::sent_inline) table = nullptr;
    if (symbols.empty()) return {};
    if (table != nullptr) return encode_message(symbols, context, framing_, *coder_, table, false);
    Counts counts;
    learn(symbols, context.width, counts);
    const Table own = make_table(counts, context.width);
    return encode_message(symbols, context, framing_, *coder_, &own, true);
}

std::vector<Block> TableCodec::decode(std::span<const std::byte> bytes, const Context& context, const Table* table,
                                      std::span<Symbol> out) const {
    if (table_source() == TableSource::sent_inline) table = nullptr;
    return decode_message(bytes, context, framing_, *coder_, table, out);
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
