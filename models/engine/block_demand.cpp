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

/// Symbols that the lanes' inputs take in a cycle, of an uncoded block.
std::uint64_t symbols_of_slot(const EngineParams& engine, const Block& block) {
    const std::uint64_t rounds = std::max<std::uint64_t>(1, block.work.sub_stream_slots);
    return std::max<std::uint64_t>(1, std::min<std::uint64_t>(engine.lanes, quotient_up(block.values, rounds)));
}

/// Cycles in which packers that move `moved` bits a cycle take the symbols of an uncoded block, of which there are some
/// in `slots` cycles at most.
Cycles packing_cycles(const EngineParams& engine, const Block& block, Cycles slots, std::uint64_t moved) {
    const std::uint64_t symbols = symbols_of_slot(engine, block), width = width_of(block);
    const std::uint64_t full = block.values / symbols, rest = block.values % symbols, used = full + (rest > 0 ? 1 : 0);
    const Cycles last = rest > 0 ? std::max<Cycles>(1, quotient_up(rest * width, moved)) : 0;
    const Cycles empty = slots > used ? slots - used - 1 : 0;   // the last symbols move on in the first of them
    return full * std::max<Cycles>(1, quotient_up(symbols * width, moved)) + last + empty;
}

BlockDemand uncoded(const Block& block) {
    return {.width = static_cast<std::uint32_t>(width_of(block)),
            .uncoded = true,
            .headed = block.bytes > payload_bytes(block)};
}

BlockDemand coded(const Block& block) {
    return {.load = table_rows * block.work.held_tables,
            .tables = block.work.held_tables > 0 ? block.check : std::uint16_t{0},
            .width = block.work.width,
            .headed = true,
            .brings = block.mode == BlockMode::coded_inline};
}

}   // namespace

BlockDemand encode_demand(const EngineParams& engine, const Block& block) {
    const bool raw = block.mode == BlockMode::raw;
    BlockDemand demand = raw ? uncoded(block) : coded(block);
    demand.lanes = encode_cycles(engine, block);
    if (raw) {
        const std::uint64_t bits = symbols_of_slot(engine, block) * width_of(block);
        const std::uint64_t moved = 8 * packer_bytes * engine.packers;
        demand.lanes = packing_cycles(engine, block, demand.lanes, moved);
        demand.fills_packer = bits >= moved;
        demand.stored = std::min<Cycles>(demand.lanes, moved / std::max<std::uint64_t>(1, bits));
        demand.latency = std::max<Cycles>(engine.encode_latency, lane_stages) - lane_stages + (demand.headed ? 1 : 0);
        return demand;
    }
    demand.chunks =
        quotient_up(head_chunks(engine, block) + (demand.brings ? 1 : 0) + body_chunks(block), engine.packers);
    demand.latency = engine.encode_latency + engine.streams / 2;   // a lane's turn
    return demand;
}

BlockDemand decode_demand(const EngineParams& engine, const Block& block) {
    const bool raw = block.mode == BlockMode::raw;
    BlockDemand demand = raw ? uncoded(block) : coded(block);
    demand.lanes = decode_cycles(engine, block);
    if (raw) {
        demand.chunks = quotient_up(packer_chunks(payload_bytes(block)), engine.packers);
        const Cycles store = quotient_up(engine.lanes, lanes_of_a_chunk * engine.packers) + 1;
        const std::uint64_t bits = std::max<std::uint64_t>(1, symbols_of_slot(engine, block) * width_of(block));
        demand.stored = std::min(demand.chunks, store);
        demand.ahead = store * 8 * packer_bytes * engine.packers / bits;
        demand.latency = std::max<Cycles>(engine.decode_latency, fetch_stages) - fetch_stages + (demand.headed ? 1 : 0);
        return demand;
    }
    demand.chunks = quotient_up(head_chunks(engine, block) + body_chunks(block), engine.packers);
    const Cycles fetching = words_ahead * (engine.streams - 1);
    demand.latency = decode_latency(engine, block) + (demand.brings ? std::max(fetching, table_writing) : fetching);
    return demand;
}

}   // namespace oscar
