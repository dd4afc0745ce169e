#include "models/engine/engine_cycles.hpp"

#include <algorithm>
#include <bit>

namespace oscar {
namespace {

Cycles quotient_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}   // namespace

Cycles search_cycles(const EngineParams& engine) {
    return engine.search == RowSearch::flash ? 1 : std::bit_width(table_rows - 1);
}

Cycles update_cycles(const EngineParams& engine, const Block& block) {
    return engine.table_update * (block.work.tables + (block.mode == BlockMode::coded_inline ? 1 : 0));
}

Cycles encode_cycles(const EngineParams& engine, const Block& block) {
    const std::uint64_t streams = engine.framing().sub_streams_per_lane(block.values);
    return streams * block.work.sub_stream_slots * engine.encode_interval + update_cycles(engine, block);
}

Cycles decode_cycles(const EngineParams& engine, const Block& block) {
    const std::uint64_t streams = engine.framing().sub_streams_per_lane(block.values);
    const Cycles interval = engine.decode_interval;
    const Cycles searching = std::max(interval, quotient_up(search_cycles(engine), streams));
    return streams *
               ((block.work.sub_stream_slots - block.work.searches) * interval + block.work.searches * searching) +
           update_cycles(engine, block);
}

Cycles decode_latency(const EngineParams& engine, const Block& block) {
    return engine.decode_latency + (block.work.searches > 0 ? search_cycles(engine) - 1 : 0);
}

}   // namespace oscar
