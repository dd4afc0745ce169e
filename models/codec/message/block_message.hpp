// Framed messages: blocks that a BlockCoder fills, or packed symbols where coding does not pay.
//
// A block is
//   header      16 bytes, see block_header.hpp
//   table       inline_table_bytes, in mode coded_inline
//   payload     of the BlockCoder
// or header and packed symbols (mode raw). A message of no symbols has no block and no byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/block_coder.hpp"
#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Throws invalid_argument unless there are 1 to 4096 sub-streams, lane_values >= 1, and a block has at most 2^26
/// symbols.
void require_valid(const Framing& framing);

/// Throws invalid_argument unless all tables are of the coder's layout and wide enough for the context, and, if there
/// are several, the coder uses classes and each symbol has one.
void require_codes(const Tables& tables, const BlockCoder& coder, const Context& context, std::size_t symbols);

/// Encodes with `tables`, one of which the first coded block brings if `send_table`; none for a coder without tables. A
/// block that is not smaller than its raw form, the table included, is sent raw, so a message never exceeds
/// message_bound(). Throws invalid_argument for a context that is not legal, and as require_codes(). Precondition: the
/// symbols are legal.
Encoded encode_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing,
                       const BlockCoder& coder, const Tables& tables, bool send_table);

/// The blocks of encode_message(), by BlockCoder::size().
std::vector<Block> size_message(std::span<const Symbol> symbols, const Context& context, const Framing& framing,
                                const BlockCoder& coder, const Tables& tables, bool send_table);

/// Fills `out` and returns the blocks, equal to the encoder's. `tables` may be none if the message brings one, or the
/// coder takes none. Never reads outside `bytes`. Throws CorruptStream, saying in which block and field; TableMismatch
/// for a block of another epoch, or coded with tables other than these that the message does not bring.
std::vector<Block> decode_message(std::span<const std::byte> bytes, const Context& context, const Framing& framing,
                                  const BlockCoder& coder, const Tables& tables, std::span<Symbol> out);

/// The blocks of which all bytes are in `begin`, the first bytes of a message of `symbols` symbols, by their headers;
/// see Codec::blocks_in(). Throws as decode_message() for a header that is none of this message.
std::vector<Block> find_blocks(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                               const Framing& framing);

/// The size of a message whose blocks are all raw.
Bytes message_bound(std::size_t symbols, std::uint32_t width, const Framing& framing);

}   // namespace oscar
