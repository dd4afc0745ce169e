#include "models/codec/table_codec.hpp"

#include "models/codec/lane_block.hpp"
#include "models/codec/packed.hpp"

namespace oscar {

TableCodec::TableCodec(const Framing& framing, Layout layout) : framing_(framing), layout_(layout) {
    require_valid(framing);
}

Encoded TableCodec::encode(std::span<const Symbol> symbols, const Context& context, const Table* table) const {
    require_legal(symbols, context.width);
    if (table_source() == TableSource::sent_inline) table = nullptr;
    if (symbols.empty()) return {};
    if (table != nullptr) return encode_message(symbols, context, framing_, layout_, *table, false);
    Counts counts;
    learn(symbols, context.width, counts);
    return encode_message(symbols, context, framing_, layout_, make_table(counts, context.width), true);
}

std::vector<Block> TableCodec::decode(std::span<const std::byte> bytes, const Context& context, const Table* table,
                                      std::span<Symbol> out) const {
    if (table_source() == TableSource::sent_inline) table = nullptr;
    return decode_message(bytes, context, framing_, layout_, table, out);
}

Bytes TableCodec::bound(std::size_t symbols, std::uint32_t width) const {
    return message_bound(symbols, width, framing_);
}

std::uint32_t TableCodec::cost(Symbol symbol, std::uint32_t width, const Table* table) const {
    return table != nullptr ? table->cost(symbol) : width * 256;
}

}   // namespace oscar
