#include "tests/engine/cycle_stepped_engine.hpp"

#include <algorithm>

namespace oscar {

void LaneArray::Registers::step(const CodingRounds& rounds) {
    if (tables > 0) {
        --tables;
    } else if (wait > 0) {
        --wait;
    } else if (coded > 0) {
        --coded;
        wait = rounds.coded_cycles - 1;
    } else {
        --others;
        wait = rounds.other_cycles - 1;
    }
}

ServiceBatch LaneArray::serve(const TimedEvent& ready, std::uint32_t blocks, const Work& work) {
    const TimedEvent from = later(ready, free_);
    cycle_ = std::max(cycle_, clock_.next_edge(ready.at));
    const Cycles start = cycle_;
    for (std::uint32_t i = 0; i < blocks; ++i)
        for (Registers registers{work.tables, 0, work.rounds.coded, work.rounds.others}; !registers.all_in(); ++cycle_)
            registers.step(work.rounds);
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

LaneArray::Work CycleSteppedEngine::encoding(const Block& block) const {
    return {update_cycles(params_, block), encode_rounds(params_, block), params_.encode_latency};
}

LaneArray::Work CycleSteppedEngine::decoding(const Block& block) const {
    return {update_cycles(params_, block), decode_rounds(params_, block), decode_latency(params_, block)};
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
