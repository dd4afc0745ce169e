#include "models/codec/lane_block.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "models/codec/bit_stream.hpp"
#include "models/codec/block_header.hpp"
#include "models/codec/inline_table.hpp"
#include "models/codec/lane_streams.hpp"
#include "models/codec/packed.hpp"

namespace oscar {

namespace {

void append_lengths(std::vector<std::byte>& out, std::span<const LaneLengths> lengths, std::uint32_t bits_each) {
    BitWriter writer(out);
    for (const LaneLengths& lane : lengths) {
        writer.put(lane.symbol_bits, bits_each);
        writer.put(lane.offset_bits, bits_each);
    }
    writer.finish();
}

bool representable(std::span<const LaneLengths> lengths, std::uint32_t bits_each) {
    return std::ranges::all_of(lengths, [bits_each](const LaneLengths& lane) {
        return std::uint64_t{lane.symbol_bits | lane.offset_bits} >> bits_each == 0;
    });
}

class MessageEncoder {
public:
    MessageEncoder(const Context& context, const Framing& framing, const Table& table, bool send_table)
        : context_(context), framing_(framing), table_(table), check_(table.check()), send_table_(send_table) {}

    void add_block(std::span<const Symbol> symbols) {
        const std::size_t start = result_.bytes.size();
        const BlockShape shape(symbols.size(), context_.width, framing_);
        const LaneStreams streams = encode_lanes(symbols, shape.lanes, table_);
        const std::uint64_t coded = (send_table_ ? inline_table_bytes(table_.layout, table_.width) : 0) +
                                    shape.lengths_bytes() + streams.bytes.size();
        const std::uint64_t raw = packed_bytes(symbols.size(), context_.width);
        Work work = streams.work;
        if (coded < raw && representable(streams.lengths, shape.length_bits)) {
            append_coded(symbols.size(), coded, streams, shape.length_bits);
        } else {
            append_raw(symbols, raw);
            work = packed_work(symbols.size(), context_.width, shape.lanes);
        }
        result_.blocks.push_back(
            {values_, static_cast<std::uint32_t>(symbols.size()), start, result_.bytes.size() - start, work});
        values_ += static_cast<std::uint32_t>(symbols.size());
    }
    Encoded take() { return std::move(result_); }

private:
    void append_header(BlockMode mode, std::size_t values, std::uint64_t payload) {
        BlockHeader header = make_header(context_, static_cast<std::uint32_t>(values));
        header.mode = mode;
        header.check = mode == BlockMode::raw ? std::uint16_t{0} : check_;
        header.bytes = static_cast<std::uint32_t>(block_header_bytes + payload);
        append(result_.bytes, header);
    }
    void append_coded(std::size_t values, std::uint64_t payload, const LaneStreams& streams, std::uint32_t bits_each) {
        append_header(send_table_ ? BlockMode::coded_inline : BlockMode::coded, values, payload);
        if (send_table_) append_table(result_.bytes, table_);
        send_table_ = false;
        append_lengths(result_.bytes, streams.lengths, bits_each);
        result_.bytes.insert(result_.bytes.end(), streams.bytes.begin(), streams.bytes.end());
    }
    void append_raw(std::span<const Symbol> symbols, std::uint64_t payload) {
        append_header(BlockMode::raw, symbols.size(), payload);
        append_packed(result_.bytes, symbols, context_.width);
    }

    const Context& context_;
    const Framing& framing_;
    const Table& table_;
    std::uint16_t check_;
    bool send_table_;   // the table has still to be sent
    std::uint32_t values_ = 0;
    Encoded result_;
};

}   // namespace

std::uint32_t Framing::lanes_for(std::uint32_t values) const {
    // A lane never holds more than lane_values, so it cannot be asked to hold at least that.
    const std::uint32_t fewest = std::max(1u, std::min(min_lane_values, lane_values));
    return std::clamp(values / fewest, 1u, lanes);
}

void require_valid(const Framing& framing) {
    if (framing.lanes < 1 || framing.lanes > 4096)
        throw std::invalid_argument("framing: lanes must be 1..4096, not " + std::to_string(framing.lanes));
    if (framing.lane_values < 1 || std::uint64_t{framing.lanes} * framing.lane_values > 1u << 26)
        throw std::invalid_argument("framing: lane_values must be at least 1, and at most 2^26 over all lanes");
}

void require_codes(const Table& table, Layout layout, const Context& context) {
    if (table.layout != layout) throw std::invalid_argument("codec: the table has the layout of another codec");
    if (table.width < context.width)
        throw std::invalid_argument("codec: a table of " + std::to_string(table.width) +
                                    " bits cannot code symbols of " + std::to_string(context.width));
}

BlockShape::BlockShape(std::size_t values, std::uint32_t width, const Framing& framing)
    : lanes(framing.lanes_for(static_cast<std::uint32_t>(values))),
      length_bits(static_cast<std::uint32_t>(std::bit_width((values + lanes - 1) / lanes * width - 1))) {}

std::uint64_t BlockShape::lengths_bytes() const { return bytes_for(std::uint64_t{2} * lanes * length_bits); }

Encoded encode_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing, Layout layout,
                       const Table& table, bool send_table) {
    require_codes(table, layout, context);
    MessageEncoder encoder(context, framing, table, send_table);
    for (std::size_t first = 0; first < symbols.size(); first += framing.block_values())
        encoder.add_block(
            symbols.subspan(first, std::min<std::size_t>(framing.block_values(), symbols.size() - first)));
    return encoder.take();
}

Bytes message_bound(std::size_t symbols, std::uint32_t width, const Framing& framing) {
    const std::uint64_t full = symbols / framing.block_values(), rest = symbols % framing.block_values();
    const auto block = [width](std::uint64_t values) { return block_header_bytes + packed_bytes(values, width); };
    return {full * block(framing.block_values()) + (rest > 0 ? block(rest) : 0)};
}

}   // namespace oscar
