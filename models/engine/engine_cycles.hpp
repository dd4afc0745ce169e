// Cycles of the encoder and decoder array for a block. Source: docs/engine.md.
#pragma once

#include "models/codec/interface/codec.hpp"
#include "models/engine/engine_params.hpp"

namespace oscar {

/// a / b, rounded up.
constexpr std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Values of the lanes of an array on a block, in rounds: in a round each lane codes a value of each of its streams. A
/// stream that a short block does not have takes its cycles, too, as in the RTL.
struct CodingRounds {
    std::uint64_t coded = 0;    ///< rounds of values that are coded arithmetically, or searched
    std::uint64_t others = 0;   ///< rounds of values that are not
    Cycles coded_cycles = 1;    ///< of such a round
    Cycles other_cycles = 1;
    Cycles cycles() const { return coded * coded_cycles + others * other_cycles; }
};
/// At the encoder, with the ends of streams.
CodingRounds encode_rounds(const EngineParams& engine, const Block& block);
/// At the decoder.
CodingRounds decode_rounds(const EngineParams& engine, const Block& block);

/// Cycles for the tables that a block takes up. A message that brings its table makes it of counts at the sender, and
/// of the rows in the block at the receiver.
Cycles update_cycles(const EngineParams& engine, const Block& block);

/// Cycles from one block into the encoder array to the next: each lane codes its sub-streams, k of them, in turn, a
/// round in max(k * encode_interval, encode_loop) cycles. Before a table is in place, `table_update` cycles, no lane
/// codes, neither here nor in the decoder.
Cycles encode_cycles(const EngineParams& engine, const Block& block);

/// Cycles from one block out of the decoder array to the next. The search of a row takes `search` cycles, and a lane
/// searches for its sub-streams, k of them, at once: k values take max(k * decode_interval, search) cycles, in whole
/// intervals, and no fewer than `decode_loop`.
Cycles decode_cycles(const EngineParams& engine, const Block& block);

/// Cycles from the last value into the decoder to the block's values out of it: a search longer than a cycle adds the
/// rest.
Cycles decode_latency(const EngineParams& engine, const Block& block);

}   // namespace oscar
