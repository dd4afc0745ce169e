#include "models/codec/message/block_message.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/inline_table.hpp"

namespace oscar {

namespace {

class MessageEncoder {
public:
    MessageEncoder(const Context& context, const Framing& framing, const BlockCoder& coder, const Tables& tables,
                   bool send_table)
        : context_(context),
          framing_(framing),
          coder_(coder),
          tables_(tables),
          check_(tables.check()),
          send_table_(send_table) {}

    void add_block(std::span<const Symbol> symbols) {
        const std::size_t start = result_.bytes.size();
        const auto values = static_cast<std::uint32_t>(symbols.size());
        const std::uint32_t sub_streams = framing_.sub_streams_for(values);
        std::vector<std::byte> payload;
        if (send_table_) append_table(payload, *tables_.of_class(0));
        std::optional<CodingCost> work =
            coder_.encode(symbols, context_.width, sub_streams, tables_.part(values_, values), payload);
        if (work && payload.size() < packed_bytes(values, context_.width)) {
            work->held_tables = tables_.held();
            work->width = context_.width;
            append_coded(values, payload);
        } else {
            append_raw(symbols);
            work = packed_work(values, context_.width, sub_streams);
        }
        result_.blocks.push_back(
            {values_, values, start, result_.bytes.size() - start, *work, header_.mode, header_.check});
        values_ += values;
    }
    Encoded take() { return std::move(result_); }

private:
    void append_header(BlockMode mode, std::size_t values, std::uint64_t payload) {
        header_ = make_header(context_, static_cast<std::uint32_t>(values));
        header_.mode = mode;
        header_.check = mode == BlockMode::raw ? std::uint16_t{0} : check_;
        header_.bytes = static_cast<std::uint32_t>(block_header_bytes + payload);
        append(result_.bytes, header_);
    }
    void append_coded(std::size_t values, std::span<const std::byte> payload) {
        append_header(send_table_ ? BlockMode::coded_inline : BlockMode::coded, values, payload.size());
        send_table_ = false;
        result_.bytes.insert(result_.bytes.end(), payload.begin(), payload.end());
    }
    void append_raw(std::span<const Symbol> symbols) {
        append_header(BlockMode::raw, symbols.size(), packed_bytes(symbols.size(), context_.width));
        append_packed(result_.bytes, symbols, context_.width);
    }

    const Context& context_;
    const Framing& framing_;
    const BlockCoder& coder_;
    const Tables& tables_;
    std::uint16_t check_;
    bool send_table_;      // the table has still to be sent
    BlockHeader header_;   // of the last block
    std::uint32_t values_ = 0;
    Encoded result_;
};

}   // namespace

std::uint32_t Framing::sub_stream_values() const {
    return streams == 1 ? lane_values : std::max(1u, lane_values / streams);
}

std::uint32_t Framing::sub_streams_for(std::uint32_t values) const {
    // A sub-stream never holds more than sub_stream_values(), so it cannot be asked to hold at least that.
    const std::uint32_t fewest = std::max(1u, std::min(min_lane_values, sub_stream_values()));
    return std::clamp(values / fewest, 1u, sub_streams());
}

std::uint32_t Framing::block_values(std::size_t values) const {
    if (blocks == 1) return sub_streams() * sub_stream_values();
    const std::size_t shares = std::size_t{sub_streams()} * blocks;
    const std::size_t share = std::max<std::size_t>((values + shares - 1) / shares, min_lane_values);
    return sub_streams() * static_cast<std::uint32_t>(std::min<std::size_t>(share, sub_stream_values()));
}

void require_valid(const Framing& framing) {
    const std::uint32_t sub_streams = framing.sub_streams();
    if (sub_streams < 1 || sub_streams > 4096)
        throw std::invalid_argument("framing: lanes times streams must be 1..4096, not " + std::to_string(sub_streams));
    if (framing.lane_values < 1 || std::uint64_t{sub_streams} * framing.sub_stream_values() > 1u << 26)
        throw std::invalid_argument("framing: lane_values must be at least 1, and at most 2^26 over all lanes");
}

void require_codes(const Tables& tables, const BlockCoder& coder, const Context& context, std::size_t symbols) {
    if (tables.none()) return;
    if (tables.count() > 1 && (!coder.uses_classes() || tables.classes().size() != symbols))
        throw std::invalid_argument("codec: several tables need a codec with classes and a class for each symbol");
    for (std::size_t c = 0; c < tables.count(); ++c) {
        const Table& table = *tables.of_class(c);
        if (coder.layout() != table.layout)
            throw std::invalid_argument("codec: the table has the layout of another codec");
        if (table.width < context.width)
            throw std::invalid_argument("codec: a table of " + std::to_string(table.width) +
                                        " bits cannot code symbols of " + std::to_string(context.width));
    }
}

Encoded encode_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing,
                       const BlockCoder& coder, const Tables& tables, bool send_table) {
    require_codes(tables, coder, context, symbols.size());
    MessageEncoder encoder(context, framing, coder, tables, send_table);
    const std::size_t full = framing.block_values(symbols.size());
    for (std::size_t first = 0; first < symbols.size(); first += full)
        encoder.add_block(symbols.subspan(first, std::min(full, symbols.size() - first)));
    return encoder.take();
}

Bytes message_bound(std::size_t symbols, std::uint32_t width, const Framing& framing) {
    const std::uint32_t size = framing.block_values(symbols);
    const std::uint64_t full = symbols / size, rest = symbols % size;
    const auto block = [width](std::uint64_t values) { return block_header_bytes + packed_bytes(values, width); };
    return {full * block(size) + (rest > 0 ? block(rest) : 0)};
}

}   // namespace oscar
