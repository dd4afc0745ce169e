#include "models/engine/engine_cycles.hpp"

#include <algorithm>
#include <bit>

namespace oscar {
namespace {

/// Of the search of a row.
Cycles search_cycles(const EngineParams& engine) {
    return engine.search == RowSearch::flash ? 1 : std::bit_width(table_rows - 1);
}

}   // namespace

Cycles update_cycles(const EngineParams& engine, const Block& block) {
    return engine.table_update * (block.work.tables + (block.mode == BlockMode::coded_inline ? 1 : 0));
}

CodingRounds encode_rounds(const EngineParams& engine, const Block& block) {
    const Cycles each = Cycles{engine.streams} * engine.encode_interval;
    const std::uint64_t coded = block.work.searches, ends = coded > 0 ? engine.finish_slots : 0;
    return {coded + ends, block.work.sub_stream_slots - coded, std::max<Cycles>(each, engine.encode_loop), each};
}

CodingRounds decode_rounds(const EngineParams& engine, const Block& block) {
    const std::uint64_t streams = engine.streams;
    const Cycles interval = engine.decode_interval, searching = quotient_up(search_cycles(engine), streams);
    return {block.work.searches, block.work.sub_stream_slots - block.work.searches,
            std::max<Cycles>(streams * std::max(interval, searching), engine.decode_loop), streams * interval};
}

Cycles encode_cycles(const EngineParams& engine, const Block& block) {
    return encode_rounds(engine, block).cycles() + update_cycles(engine, block);
}

Cycles decode_cycles(const EngineParams& engine, const Block& block) {
    return decode_rounds(engine, block).cycles() + update_cycles(engine, block);
}

Cycles decode_latency(const EngineParams& engine, const Block& block) {
    return engine.decode_latency + (block.work.searches > 0 ? search_cycles(engine) - 1 : 0);
}

}   // namespace oscar
