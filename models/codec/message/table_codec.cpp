#include "models/codec/message/table_codec.hpp"

#include "models/codec/interface/packed.hpp"
#include "models/codec/learning/row_learning.hpp"
#include "models/codec/message/block_message.hpp"

namespace oscar {

TableCodec::TableCodec(const Framing& framing, std::unique_ptr<const BlockCoder> coder)
    : framing_(framing), coder_(std::move(coder)) {
    require_valid(framing);
}

template <class Message>
auto TableCodec::with_tables(std::span<const Symbol> symbols, const Context& context, const Tables& tables,
                             Message&& message) const {
    require_legal(symbols, context.width);
    const bool brings_table = tables.none() || table_source() == TableSource::sent_inline;
    if (!brings_table || symbols.empty()) return message(symbols, context, framing_, *coder_, tables, false);
    Counts counts;
    learn(symbols, context.width, counts);
    const Table own = make_table(counts, context.width);
    return message(symbols, context, framing_, *coder_, Tables(&own), true);
}

Encoded TableCodec::encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const {
    return with_tables(symbols, context, tables, encode_message);
}

std::vector<Block> TableCodec::sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                            const Tables& tables) const {
    return with_tables(symbols, context, tables, size_message);
}

std::vector<Block> TableCodec::decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                                      std::span<Symbol> out) const {
    const bool brings_table = table_source() == TableSource::sent_inline;
    return decode_message(bytes, context, framing_, *coder_, brings_table ? Tables() : tables, out);
}

std::vector<Block> TableCodec::blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                         const Tables&) const {
    return find_blocks(begin, symbols, context, framing_);
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
