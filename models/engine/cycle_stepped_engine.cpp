#include "models/engine/cycle_stepped_engine.hpp"

#include <algorithm>

#include "models/engine/engine_cycles.hpp"

namespace oscar {

void LaneArray::Registers::step(const Work& work) {
    if (tables > 0) {
        --tables;
    } else if (wait > 0) {
        --wait;
    } else if (searches > 0) {
        --searches;
        wait = work.search_interval - 1;
    } else {
        --others;
        wait = work.interval - 1;
    }
}

ServiceBatch LaneArray::serve(const TimedEvent& ready, std::uint32_t blocks, const Work& work) {
    const TimedEvent from = later(ready, free_);
    cycle_ = std::max(cycle_, clock_.next_edge(ready.at));
    const Cycles start = cycle_;
    for (std::uint32_t i = 0; i < blocks; ++i)
        for (Registers registers{work.tables, 0, work.searches, work.others}; !registers.all_in(); ++cycle_)
            registers.step(work);
    free_ = from.until(clock_.edge(cycle_), &CriticalPath::engine_ps);
    append(busy_, {clock_.edge(start), clock_.edge(cycle_)});
    return {clock_, from, 1, start, (cycle_ - start) / blocks, work.latency, blocks};
}

void LaneArray::clear() {
    cycle_ = 0;
    free_ = {};
    busy_.clear();
}

void CycleSteppedEngine::begin() {
    encoder_.clear();
    decoder_.clear();
}

/// Each lane codes its sub-streams in turn.
LaneArray::Work CycleSteppedEngine::encoding(const Block& block) const {
    const std::uint64_t streams = params_.framing().sub_streams_per_lane(block.values);
    return {.tables = update_cycles(params_, block),
            .others = streams * block.work.sub_stream_slots,
            .interval = params_.encode_interval,
            .latency = params_.encode_latency};
}

/// A lane that searches in `cycles` cycles begins with a value every max(interval, cycles / streams).
LaneArray::Work CycleSteppedEngine::decoding(const Block& block) const {
    const std::uint64_t streams = params_.framing().sub_streams_per_lane(block.values);
    const std::uint64_t cycles = search_cycles(params_);
    return {.tables = update_cycles(params_, block),
            .searches = streams * block.work.searches,
            .others = streams * (block.work.sub_stream_slots - block.work.searches),
            .search_interval = std::max<Cycles>(params_.decode_interval, (cycles + streams - 1) / streams),
            .interval = params_.decode_interval,
            .latency = decode_latency(params_, block)};
}

TimedEvent CycleSteppedEngine::encode(const TimedEvent& ready, const Block& block) {
    return encoder_.serve(ready, 1, encoding(block)).done(0);
}

ServiceBatch CycleSteppedEngine::decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) {
    return decoder_.serve(ready, blocks, decoding(block));
}

TimedEvent CycleSteppedEngine::decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) {
    TimedEvent last;
    for (std::uint32_t i = 0; i < ready.count; ++i)
        last = later(last, decode(ready[i], blocks, block).done(blocks - 1));
    return last;
}

}   // namespace oscar
