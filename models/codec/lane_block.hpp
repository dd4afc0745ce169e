// Messages of the codecs with tables: blocks of lane streams, or of packed symbols where coding does not pay.
//
// A block is
//   header      16 bytes, see block_header.hpp
//   table       inline_table_bytes, in mode coded_inline
//   lengths     per lane: symbol stream, offset stream, each of BlockShape::length_bits; filled to a byte
//   streams     see lane_streams.hpp
// or header and packed symbols (mode raw). A message of no symbols has no block and no byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/codec.hpp"

namespace oscar {

/// Throws invalid_argument unless 1 <= lanes <= 4096, lane_values >= 1, and a block has at most 2^26 symbols.
void require_valid(const Framing& framing);

/// Throws invalid_argument unless the table has this layout and is wide enough for the context.
void require_codes(const Table& table, Layout layout, const Context& context);

/// What follows from the size of a block for its lanes. Precondition: values >= 1.
struct BlockShape {
    BlockShape(std::size_t values, std::uint32_t width, const Framing& framing);

    std::uint32_t lanes;
    /// Bits of each length: enough for any stream shorter than the packed symbols of the busiest lane. A block with a
    /// longer stream is sent raw, so that the lengths, two per lane, stay short.
    std::uint32_t length_bits;

    /// Bytes of the lengths of all lanes.
    std::uint64_t lengths_bytes() const;
};

/// Encodes with `table`, which the first coded block brings if `send_table`. A block that is not smaller than its raw
/// form, the table included, is sent raw, so a message never exceeds message_bound().
/// Throws invalid_argument for symbols or a context that are not legal, and as require_codes().
Encoded encode_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing, Layout layout,
                       const Table& table, bool send_table);

/// Fills `out` and returns the blocks, equal to the encoder's. `table` may be null if the message brings one, which
/// must have layout `layout`. Never reads outside `bytes`. Throws CorruptStream, saying in which block and field.
std::vector<Block> decode_message(std::span<const std::byte> bytes, const Context& context, const Framing& framing,
                                  Layout layout, const Table* table, std::span<Symbol> out);

/// The size of a message whose blocks are all raw.
Bytes message_bound(std::size_t symbols, std::uint32_t width, const Framing& framing);

}   // namespace oscar
