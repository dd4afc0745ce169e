#include "models/engine/arrays/prefetch_cycles.hpp"

#include <algorithm>

namespace oscar {

PrefetchCycles::PrefetchCycles(const ArrayShape& shape)
    : lanes_(shape.lanes), streams_(shape.streams), taken_(shape.streams, LaneSet((shape.lanes + 63) / 64)) {
    clear(0);
    clear(1);
}

void PrefetchCycles::clear(std::uint32_t half) {
    const std::size_t queues = std::size_t{lanes_} * streams_;
    halves_[half].words.assign(queues, 0);
    halves_[half].wanting = queues;
}

void PrefetchCycles::fetch(Half& half, std::size_t queue, Cycles now) {
    if (++half.words[queue] < depth) return;
    --half.wanting;
    half.last_fetch = now;
}

void PrefetchCycles::step(Cycles now, const std::array<bool, 2>& loaded, const Take& take) {
    LaneSet& taken = taken_[turn_];
    Half &first = halves_[prefer_], &second = halves_[prefer_ ^ 1];
    const bool fills_first = loaded[prefer_] && first.wanting > 0,
               fills_second = loaded[prefer_ ^ 1] && second.wanting > 0;
    for (std::uint32_t lane = 0; lane < lanes_ && (fills_first || fills_second); ++lane) {
        const std::size_t queue = std::size_t{turn_} * lanes_ + lane;
        if (fills_first && wants(first, queue)) fetch(first, queue, now);
        else if (loaded[prefer_] && (taken[lane / 64] >> lane % 64 & 1) != 0) continue;
        else if (fills_second && wants(second, queue)) fetch(second, queue, now);
    }
    std::ranges::fill(taken, 0);
    for (std::size_t w = 0; w < take.lanes.size(); ++w) taken_[take.stream][w] |= take.lanes[w];
    turn_ = (turn_ + 1) % streams_;
    if (take.ends) prefer_ ^= 1;
}

}   // namespace oscar
