// Order and duration of the lanes' work on a block, the same at encoder and decoder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// The work of one lane so far.
struct LaneWork {
    std::uint64_t values = 0, stalls = 0, offset_bits = 0;
    std::uint64_t cycles() const { return values + stalls; }   ///< time of the lane if it never waits for others
};

/// Part of the symbols of one lane: first, first + lanes, … below last.
struct LanePart {
    std::size_t first, last;
};

/// Runs a block of `size` symbols through `model.interval()` values of each lane at a time (0: all of them), then
/// synchronises the model and goes on. Calls run(part, work), which advances the work of all lanes by the symbols
/// first .. last - 1. Lanes that wait for each other take as long as the slowest in each round.
template <class Model, class Run>
CodingCost run_rounds_of_all(std::size_t size, std::size_t lanes, Model& model, Run&& run) {
    const std::size_t round = model.interval() == 0 ? size : model.interval() * lanes;
    std::vector<LaneWork> done(lanes), before;
    CodingCost work;
    work.searches = (size + lanes - 1) / lanes;
    for (std::size_t first = 0; first < size; first += round) {
        before = done;
        run(LanePart{first, first + std::min(round, size - first)}, std::span<LaneWork>(done));
        std::uint64_t slowest = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane)
            slowest = std::max(slowest, done[lane].cycles() - before[lane].cycles());
        work.sub_stream_slots += slowest;
        model.synchronise();
    }
    for (const LaneWork& lane : done) {
        work.values += lane.values;
        work.stalls += lane.stalls;
        work.offset_bits += lane.offset_bits;
    }
    return work;
}

/// The same, lane after lane. Calls run(lane, part), which returns the lane's work so far.
template <class Model, class Run>
CodingCost run_rounds(std::size_t size, std::size_t lanes, Model& model, Run&& run) {
    return run_rounds_of_all(size, lanes, model, [&](LanePart all, std::span<LaneWork> done) {
        for (std::size_t lane = 0; lane < std::min(lanes, all.last - all.first); ++lane)
            done[lane] = run(lane, LanePart{all.first + lane, all.last});
    });
}

}   // namespace oscar
