#include "models/engine/block_demand.hpp"

#include <algorithm>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/table/table.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t lengths_in_a_chunk = 8;   ///< sub-streams whose lengths are one chunk
constexpr std::uint64_t lanes_of_a_chunk = 16;    ///< whose symbols of 32 bits are one
constexpr Cycles lane_stages = 5;                 ///< of encode_latency, which uncoded symbols do not pass
constexpr Cycles fetch_stages = 9;                ///< of decode_latency, the same
constexpr Cycles words_ahead = 4;                 ///< of each sub-stream that are fetched before a block begins
constexpr Cycles table_writing = 10;   ///< cycles for which the 16 rows of an inline table outlast that fetching

/// Chunks of the lengths of sub-streams and of an inline table, behind the header.
std::uint64_t head_chunks(const EngineParams& engine, const Block& block) {
    const std::uint64_t lengths = quotient_up(engine.framing().sub_streams_for(block.values), lengths_in_a_chunk);
    return (block.work.chunks > 0 ? lengths : 0) + (block.mode == BlockMode::coded_inline ? 1 : 0);
}

std::uint64_t body_chunks(const Block& block) {
    return block.work.chunks > 0 ? block.work.chunks : packer_chunks(block.bytes);
}

std::uint64_t payload_bytes(const Block& block) { return bytes_for(block.work.offset_bits); }

/// Bits of a symbol of an uncoded block.
std::uint64_t width_of(const Block& block) { return block.values > 0 ? block.work.offset_bits / block.values : 0; }

/// A header travels with an uncoded block of a codec that codes others.
bool has_header(const Block& block) { return block.bytes > payload_bytes(block); }

/// Sub-streams of an uncoded block. None of a bare one has to be worth a length.
std::uint64_t sub_streams_of(const EngineParams& engine, const Block& block) {
    const Framing framing = engine.framing();
    const std::uint32_t values = std::max(1u, block.values);
    return has_header(block) ? framing.sub_streams_for(values) : std::min(values, framing.sub_streams());
}

/// Symbols that the lanes' inputs take in a cycle, of an uncoded block.
std::uint64_t symbols_of_slot(const EngineParams& engine, const Block& block) {
    return std::min<std::uint64_t>(sub_streams_of(engine, block), engine.lanes);
}

/// Cycles in which packers that move `moved` bits a cycle take a round of `symbols` of an uncoded block. A slot without
/// symbols passes while they are busy with the one before; one at the end of the block holds up nothing.
Cycles packing_cycles(const EngineParams& engine, std::uint64_t symbols, std::uint64_t width, std::uint64_t moved,
                      bool last) {
    Cycles cycles = 0;
    std::uint64_t slots = 0;
    for (; symbols > 0; ++slots) {
        const std::uint64_t in_slot = std::min<std::uint64_t>(symbols, engine.lanes);
        symbols -= in_slot;
        const Cycles empty = symbols == 0 && !last ? engine.streams - slots - 1 : 0;
        cycles += std::max((1 + empty) * engine.encode_interval,
                           quotient_up(in_slot * width * engine.packer_interval, moved));
    }
    return cycles;
}

/// The same of all its symbols.
Cycles packing_cycles(const EngineParams& engine, const Block& block, std::uint64_t moved) {
    const std::uint64_t round = sub_streams_of(engine, block), width = width_of(block);
    if (block.values == 0) return 0;
    const std::uint64_t before = (block.values - 1) / round;   // rounds before the last
    return before * packing_cycles(engine, round, width, moved, false) +
           packing_cycles(engine, block.values - before * round, width, moved, true);
}

/// 1 if the last symbols of an uncoded block fill a packer's chunk and leave bits for another.
Cycles tail_cycles(const EngineParams& engine, const Block& block, std::uint64_t moved) {
    if (block.values == 0) return 0;
    const std::uint64_t round = sub_streams_of(engine, block), width = width_of(block);
    const std::uint64_t in_last_round = (block.values - 1) % round + 1,
                        in_last_slot = (in_last_round - 1) % engine.lanes + 1;
    const std::uint64_t last = (in_last_slot * width - 1) % moved + 1, left = block.values * width % moved;
    return left > 0 && left < last ? 1 : 0;
}

BlockDemand uncoded(const Block& block) {
    return {.width = static_cast<std::uint32_t>(width_of(block)), .uncoded = true, .headed = has_header(block)};
}

BlockDemand coded(const EngineParams& engine, const Block& block) {
    const bool loads = engine.table_load > 0 && block.work.held_tables > 0;
    return {.load = engine.table_load * block.work.held_tables,
            .tables = loads ? std::optional(block.check) : std::nullopt,
            .width = block.work.width,
            .headed = true,
            .brings = block.mode == BlockMode::coded_inline};
}

/// Cycles in which the packers, or unpackers, move so many chunks.
Cycles moving_cycles(const EngineParams& engine, std::uint64_t chunks) {
    return quotient_up(chunks * engine.packer_interval, engine.packers);
}

BlockDemand encode_uncoded(const EngineParams& engine, const Block& block) {
    BlockDemand demand = uncoded(block);
    const std::uint64_t bits = symbols_of_slot(engine, block) * width_of(block);
    const std::uint64_t moved = 8 * packer_bytes * engine.packers;
    demand.lanes = packing_cycles(engine, block, moved);
    demand.fills_packer = bits * engine.packer_interval >= moved;
    demand.stored = std::min<Cycles>(demand.lanes, moved / std::max<std::uint64_t>(1, bits));
    demand.latency = std::max<Cycles>(engine.encode_latency, lane_stages) - lane_stages;
    demand.tail = tail_cycles(engine, block, moved);
    return demand;
}

BlockDemand decode_uncoded(const EngineParams& engine, const Block& block) {
    BlockDemand demand = uncoded(block);
    demand.lanes = quotient_up(block.values, sub_streams_of(engine, block)) * engine.streams * engine.decode_interval;
    demand.chunks = moving_cycles(engine, packer_chunks(payload_bytes(block)));
    const Cycles store = quotient_up(engine.lanes, lanes_of_a_chunk * engine.packers) + 1;
    const std::uint64_t bits = std::max<std::uint64_t>(1, symbols_of_slot(engine, block) * width_of(block));
    demand.stored = std::min(demand.chunks, store);
    demand.ahead = store * 8 * packer_bytes * engine.packers / bits;
    demand.latency = std::max<Cycles>(engine.decode_latency, fetch_stages) - fetch_stages;
    return demand;
}

}   // namespace

BlockDemand encode_demand(const EngineParams& engine, const Block& block) {
    if (block.mode == BlockMode::raw) return encode_uncoded(engine, block);
    BlockDemand demand = coded(engine, block);
    demand.lanes = encode_cycles(engine, block);
    demand.chunks = moving_cycles(engine, head_chunks(engine, block) + (demand.brings ? 1 : 0) + body_chunks(block));
    demand.latency = engine.encode_latency + engine.streams / 2;   // a lane's turn
    return demand;
}

BlockDemand decode_demand(const EngineParams& engine, const Block& block) {
    if (block.mode == BlockMode::raw) return decode_uncoded(engine, block);
    BlockDemand demand = coded(engine, block);
    demand.lanes = decode_cycles(engine, block);
    demand.chunks = moving_cycles(engine, head_chunks(engine, block) + body_chunks(block));
    const Cycles fetching = words_ahead * (engine.streams - 1);
    demand.latency = decode_latency(engine, block) + (demand.brings ? std::max(fetching, table_writing) : fetching);
    return demand;
}

}   // namespace oscar
