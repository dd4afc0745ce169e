// When the parts of an encoder or decoder array serve blocks, by a recurrence over blocks. Its constants are those of
// the RTL (encoder_array.sv, decoder_array.sv), whose arrays the tests step through beside it.
#pragma once

#include <array>
#include <optional>

#include "models/engine/block_demand.hpp"

namespace oscar {

/// The cycles in which an array serves a block.
struct BlockStages {
    Cycles begin = 0, end = 0;   ///< of its occupation of the lanes
    Cycles free = 0;             ///< from then on the array takes the next block
    Cycles done = 0;             ///< its last output
};

/// The tables and the widths of symbols and tables that an array has loaded. It is empty while it loads others.
class LoadedTables {
public:
    /// The cycles that loading takes before the block; nothing if the array can take it at once. `decodes`: a table
    /// that the block brings takes its way through the array.
    std::optional<Cycles> load(const BlockDemand& block, bool decodes);

private:
    std::optional<std::uint16_t> tables_;
    std::uint32_t width_ = 0;         ///< of the last block; 0: none yet
    std::uint32_t table_width_ = 0;   ///< of the last coded block; 0: none yet
};

/// Lanes, of which two blocks fill the buffers, then the packer.
class EncoderStages {
public:
    /// A block whose values are there from cycle `ready` on.
    BlockStages serve(Cycles ready, const BlockDemand& block);

private:
    Cycles free_ = 0;
    std::array<Cycles, 2> done_ = {};   ///< of the last block and the one before
    bool after_coded_ = false;          ///< the last block was coded
    LoadedTables tables_;
};

/// Unpacker, then lanes, of which two blocks fill the buffers. An uncoded block follows another only when that has
/// left.
class DecoderStages {
public:
    /// A block whose bytes and operands are there from cycle `ready` on.
    BlockStages serve(Cycles ready, const BlockDemand& block);
    /// Uncoded blocks like the last four, which were `stride` cycles apart and waited for each other alone, as these
    /// do.
    void serve_more(std::uint32_t blocks, Cycles stride);

private:
    BlockStages serve_uncoded(Cycles ready, const BlockDemand& block);
    BlockStages serve_coded(Cycles ready, const BlockDemand& block);

    Cycles free_ = 0;                               ///< the unpacker
    Cycles uncoded_free_ = 0;                       ///< the same for an uncoded block
    Cycles table_free_ = 0;                         ///< the same for a block that brings a table
    std::array<Cycles, 2> done_ = {}, half_ = {};   ///< of all blocks, and of the coded ones, which fill a half each
    bool after_uncoded_ = false;
    LoadedTables tables_;
};

}   // namespace oscar
