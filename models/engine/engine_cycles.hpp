// Cycles of the encoder and decoder array for a block. Source: docs/engine.md.
#pragma once

#include "models/codec/interface/codec.hpp"
#include "models/engine/engine_params.hpp"

namespace oscar {

/// Cycles of the search of a row.
Cycles search_cycles(const EngineParams& engine);
/// Cycles for the tables that a block takes up. A message that brings its table makes it of counts at the sender, and
/// of the rows in the block at the receiver.
Cycles update_cycles(const EngineParams& engine, const Block& block);

/// Cycles from one block into the encoder array to the next: each lane codes its sub-streams in turn. Before a table is
/// in place, `table_update` cycles, no lane codes, neither here nor in the decoder.
Cycles encode_cycles(const EngineParams& engine, const Block& block);

/// Cycles from one block out of the decoder array to the next. The search of a row takes `search` cycles, and a lane
/// searches for its sub-streams, k of them, at once: k values take max(k * decode_interval, search) cycles, in whole
/// intervals.
Cycles decode_cycles(const EngineParams& engine, const Block& block);

/// Cycles from the last value into the decoder to the block's values out of it: a search longer than a cycle adds the
/// rest.
Cycles decode_latency(const EngineParams& engine, const Block& block);

}   // namespace oscar
