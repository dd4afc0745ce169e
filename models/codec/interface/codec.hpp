// The codec interface: lossless, symbols <-> bytes. All state is passed in, so both ends can be held side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "models/codec/table/table.hpp"
#include "models/codec/table/table_history.hpp"
#include "models/codec/table/tables.hpp"
#include "models/core/index.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// One integer of a gradient: a code, a sum of codes, or the bit pattern of an fp32 value (width 32).
using Symbol = std::int32_t;

/// Bytes that are no encoding of what the decoder expects: damaged, truncated, or made with another table.
struct CorruptStream : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Throws CorruptStream(what) unless the bytes are `intact`.
inline void require_intact(bool intact, const char* what) {
    if (!intact) throw CorruptStream(what);
}

/// Bytes that may be sound but need what this end does not hold: tables other than its own, or the state of another
/// iteration (a stale message). It can ask for them again, with a table inline. Source: docs/tables.md.
struct TableMismatch : CorruptStream {
    using CorruptStream::CorruptStream;
};

/// The knowledge that both ends have of a message before its first byte.
struct Context {
    std::uint32_t width = 32;   ///< bits of a symbol in two's complement, 1..32; below 32, |symbol| < 2^(width-1)
    std::uint8_t epoch = 0;     ///< iteration modulo 256
    Timestep timestep{};        ///< lock-step round of the collective, at most 65535
    ChunkId chunk{};            ///< part of the bucket, at most 65535
};

/// The work of hardware on a block. Timing consumes this, nothing else.
struct CodingCost {
    std::uint64_t values = 0;   ///< symbols coded
    /// Initiation slots of the slowest sub-stream: its values and its packer stalls. A lane takes `streams` times as
    /// many.
    std::uint64_t sub_stream_slots = 0;
    std::uint64_t stalls = 0;        ///< packer stalls, over all sub-streams
    std::uint64_t offset_bits = 0;   ///< bits that bypass the arithmetic coder
    std::uint64_t searches = 0;      ///< slots in which a decoder searches the rows of a table
    std::uint64_t tables = 0;   ///< adaptive tables that its lanes take up: by class, at the begin or each interval
    std::uint32_t width = 0;    ///< bits of its symbols, of a coded block; 0: offset_bits / values
    std::uint64_t held_tables = 0;   ///< tables of its message, by class, that its lanes load if they hold others
    /// Pieces of at most 64 bytes, each of one sub-stream, in which a packer moves its sub-streams. 0: its bytes are
    /// one stream.
    std::uint64_t chunks = 0;
    friend bool operator==(const CodingCost&, const CodingCost&) = default;
};
/// The most bytes that a packer moves at once.
inline constexpr std::uint64_t packer_bytes = 64;
/// Pieces in which a packer moves a stream of `bytes`.
constexpr std::uint64_t packer_chunks(std::uint64_t bytes) { return (bytes + packer_bytes - 1) / packer_bytes; }

/// The cost of `values` symbols on `sub_streams` sub-streams that never stall.
inline CodingCost cost_without_stalls(std::size_t values, std::uint32_t sub_streams, std::uint64_t offset_bits) {
    return {.values = values,
            .sub_stream_slots = (values + sub_streams - 1) / sub_streams,
            .stalls = 0,
            .offset_bits = offset_bits};
}

/// The form in which a block holds its symbols.
enum class BlockMode : std::uint8_t {
    raw,            ///< as they are, in two's complement
    coded,          ///< with the tables that both ends hold, or the one that an earlier block of the message brought
    coded_inline,   ///< the same, and the block brings the table
};

/// A part of a message that is encoded, and can be decoded, by itself.
struct Block {
    std::uint32_t first_value = 0, values = 0;   ///< which symbols of the message
    std::uint64_t offset = 0, bytes = 0;         ///< which bytes of the message
    CodingCost work{};
    BlockMode mode = BlockMode::raw;   ///< as its header says; raw where it has none
    std::uint16_t check = 0;           ///< of the tables that coded it, as its header says
    friend bool operator==(const Block&, const Block&) = default;
};

/// A message: its bytes as they travel, and the blocks that tile them in order, but for a trailer after them.
struct Encoded {
    std::vector<std::byte> bytes;
    std::vector<Block> blocks;
    std::optional<std::vector<Symbol>> values{};   ///< instead of bytes (size_only_codec.hpp); may be none

    std::uint64_t trailer = 0;   ///< bytes at the end that are not coded

    /// Bytes that travel.
    std::uint64_t size() const { return trailer + (blocks.empty() ? 0 : blocks.back().offset + blocks.back().bytes); }
};

/// True if a message of these blocks shows that both ends hold the same tables: at least one block is coded with them,
/// and none brings its own. A raw or an empty message shows nothing.
bool proves_common_tables(std::span<const Block> blocks);

/// The engine's division of a message among its lanes, which is visible in the bytes. Both ends hold the same framing.
/// Each lane codes `streams` sub-streams in turn. The coders in models/codec/entropy, which see one block, call a
/// sub-stream a lane of the block.
/// A block is at most sub_streams() * sub_stream_values() symbols; symbol j of a block of m sub-streams goes to
/// sub-stream j mod m.
struct Framing {
    std::uint32_t lanes = 64;             ///< of the engine; with `streams` at most 4096 sub-streams
    std::uint32_t lane_values = 1024;     ///< the most symbols of one lane in one block
    std::uint32_t min_lane_values = 64;   ///< fewer sub-streams are used rather than giving one less than this
    std::uint32_t blocks = 1;             ///< per message, if they keep min_lane_values in every sub-stream
    std::uint32_t streams = 1;            ///< sub-streams of a lane

    /// The most sub-streams of a block.
    std::uint32_t sub_streams() const { return lanes * streams; }
    /// The most symbols of one sub-stream in one block.
    std::uint32_t sub_stream_values() const;
    /// Sub-streams that a block of `values` symbols has: the most that keep min_lane_values in each, at least one.
    std::uint32_t sub_streams_for(std::uint32_t values) const;
    /// Sub-streams of the fullest lane in such a block: a short block has fewer, down to one a lane, then fewer lanes.
    std::uint32_t sub_streams_per_lane(std::uint32_t values) const {
        return (sub_streams_for(values) + lanes - 1) / lanes;
    }
    /// Symbols of each but the last block of a message of `values` symbols: a multiple of the sub-streams.
    std::uint32_t block_values(std::size_t values) const;
};

/// Where the two ends have a codec's tables from.
enum class TableSource : std::uint8_t {
    none,          ///< the codec has no table
    sent_inline,   ///< each message carries its own
    adaptive,      ///< each block makes its own as it goes, at both ends: in-block adaptation
    profiled,      ///< one table per iteration from the local codes of rank 0 in t-1, given to all ranks beforehand
    pooled,        ///< one table per iteration from all that all links carried in t-1, given to all ranks beforehand
    stepwise,      ///< ASC: each end makes them of what it knows of t-1, as stepwise() says
};

/// A lossless code. Laws, for every kind, table and framing, and any symbols legal for the context:
///   decode(encode(s, c, t).bytes, c, t) == s;  encode(s).bytes.size() <= bound(s.size());
///   the bytes are a function of (symbols, context, table, framing) alone, in integer arithmetic.
class Codec {
public:
    virtual ~Codec() = default;

    /// Encodes symbols.size() symbols. `tables` may be none: then a codec with tables sends one inline. Only a codec
    /// that uses_classes() may be given more than one.
    virtual Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const = 0;

    /// The blocks of encode(), without its bytes where that is quicker: then their sizes are the expected ones, close
    /// to the sizes that encode() would give (tests/codec/size_only_codec_test.cpp tells how close).
    virtual std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                            const Tables& tables) const;

    /// Fills `out`, whose size the schedule tells, and returns the blocks found, equal to the encoder's.
    /// Throws CorruptStream if the bytes are no encoding of out.size() symbols in this context with these tables, and
    /// TableMismatch where they are one of another epoch or with other tables.
    virtual std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                                      std::span<Symbol> out) const = 0;

    /// The blocks whose bytes are all in `begin`, the first bytes of a message of `symbols` symbols: a receiver may
    /// decode these. Found by their headers; where a codec has none, by the number of symbols. Their work assumes no
    /// stalls. Throws CorruptStream if a header is none of such a message.
    /// Law: of bytes that decode() accepts, the blocks that it returns, work aside, as far as they are whole.
    /// Default: none are found before the message is decoded.
    virtual std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                         const Tables& tables) const;

    /// An upper bound of the size of a message of `symbols` symbols of `width` bits.
    virtual Bytes bound(std::size_t symbols, std::uint32_t width) const = 0;

    /// Cost of one symbol in 1/256 bit under `table` (null: what the bare width costs). Integer; both ends agree on it.
    virtual std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table* table) const = 0;

    /// True if the symbols of one message may have tables by their class.
    virtual bool uses_classes() const { return false; }
    /// The source from which both ends have this codec's tables.
    virtual TableSource table_source() const { return TableSource::none; }

    /// Adds the symbols to `counts` (resized on first use). Order does not matter: learn(a ++ b) == learn(a) +
    /// learn(b). Default: adds nothing.
    virtual void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const;
    /// The table for `counts` of symbols learnt at `width`. Integer arithmetic only. Precondition: counts are not all
    /// zero. Default: throws logic_error, for a codec without tables.
    virtual Table make_table(const Counts& counts, std::uint32_t width) const;
    /// The rules by which tables follow timesteps and iterations, for a codec whose tables have a history
    /// (docs/tables.md). Default: only the last iteration counts.
    virtual TableHistory stepwise() const { return {.history = 64}; }
    /// True if the size of a message follows from the number and width of its symbols, so that there is nothing to
    /// predict.
    virtual bool constant_rate() const { return false; }
    /// True if adders can add messages without decoding them: symbol i, itself, has the same place in each message of
    /// equal length and width. Law: such a codec is of constant rate, and the message of a sum has in each place the
    /// sum of what the messages of its terms have there, in the bits of its own width.
    virtual bool adds_coded() const { return false; }
    /// The layout of the rows, if its coded blocks are those of LaneCoder with tables that stay as they are within a
    /// block: what the engine's RTL codes (models/engine/rtl). Default: nothing.
    virtual std::optional<Layout> fixed_table_layout() const { return std::nullopt; }
    /// True if the engine takes part; false for a codec that only copies memory words (fp32), which bypasses the lanes,
    /// and for software, whose time is not modelled.
    virtual bool uses_engine() const { return true; }
};

}   // namespace oscar
