// What a block asks of an encoder or decoder array, in cycles of its lanes and of its packer. Source: docs/engine.md.
#pragma once

#include <cstdint>
#include <optional>

#include "models/engine/engine_cycles.hpp"

namespace oscar {

/// The cycles of the parts of an array that serve a block.
struct BlockDemand {
    Cycles lanes = 0;     ///< for which it occupies the lanes
    Cycles chunks = 0;    ///< for which the packer or the unpacker moves its bytes
    Cycles latency = 0;   ///< of the pipelines between and behind them
    /// Of an uncoded block: of the lanes' cycles, those whose symbols fit before a packer that is busy; of the chunks,
    /// those that fit before the adders.
    Cycles stored = 0;
    Cycles ahead = 0;   ///< of an uncoded block at the decoder: by which a full store is ahead of the adders
    Cycles tail = 0;    ///< of an uncoded block at the encoder: for bits that its last chunk leaves over
    Cycles load = 0;    ///< for which its tables are loaded, if the array has others
    std::optional<std::uint16_t> tables = {};   ///< check of those tables; nothing: none is loaded
    std::uint32_t width = 0;                    ///< bits of its symbols
    bool uncoded = false;                       ///< its symbols pass packers and adders, but no lane
    bool headed = false;                        ///< it has a header, as every coded block has
    bool brings = false;                        ///< it brings its table
    bool fills_packer = false;   ///< uncoded: the lanes' inputs take in a cycle what a packer moves, or more
};
/// At the encoder, of an uncoded block: lanes contain the cycles in which the packer holds them up.
BlockDemand encode_demand(const EngineParams& engine, const Block& block);
/// At the decoder.
BlockDemand decode_demand(const EngineParams& engine, const Block& block);

}   // namespace oscar
