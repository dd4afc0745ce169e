// Kernel of the coding intervals (CodingInterval) of several lanes.
#pragma once

#include "models/codec/bits/vector.hpp"
#include "models/codec/entropy/lane_packer.hpp"
#include "models/codec/table/table.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// Intervals in memory. Numbers are in the upper 16 bits. The upper end is kept as its distance to the top, 0xFFFF -
/// high, so that a shift widens both ends. Zeros are the whole range.
struct alignas(64) IntervalState {
    LaneWords<lanes_per_register> low{}, headroom{};
    LaneWords<lanes_per_register> held{};     ///< underflow steps whose bits are not yet known
    LaneWords<lanes_per_register> stalls{};   ///< of the packer, so far
};

/// Emission of each lane.
struct Emissions {
    Vector settled, leading, held, shift;
};

struct Intervals {
    Vector low, headroom, held;
};

/// CodingInterval::range() of each lane, in 17 bits.
OSCAR_VECTOR_LOOP inline Vector range_of(const Intervals& interval) {
    return every(0x10000) - ((interval.low + interval.headroom) >> 16);
}
/// Returns the bound at `counts` of 1024.
OSCAR_VECTOR_LOOP inline Vector scaled(Vector range, Vector counts) { return range * counts >> probability_bits; }

/// CodingInterval::narrow() to scaled bounds. The bounds 0 and `range` change nothing.
OSCAR_VECTOR_LOOP inline Emissions narrow(Intervals& interval, Vector range, Vector start, Vector end) {
    const Vector low = interval.low + (start << 16), headroom = interval.headroom + ((range - end) << 16);
    const Vector settled = leading_zeros(~(low ^ headroom));
    // Underflow: the number of places with low 1 and high 0 from the second place on.
    const Vector underflow = leading_zeros(~((low & headroom) << (settled + every(1))));
    const Vector shift = settled + underflow;
    interval.low = (low << shift) & every(0x7FFFFFFF);
    interval.headroom = (headroom << shift) & every(0x7FFFFFFF);
    const Vector released = only(every(1) <= settled, interval.held);
    interval.held = interval.held + underflow - released;
    return {settled, low >> (every(32) - settled), released, shift};
}

/// Adds packer_stalls(bits).
OSCAR_VECTOR_LOOP inline void count_stalls(IntervalState& state, Vector bits) {
    const Mask many = every(17) <= bits;
    if (any(many)) [[unlikely]]
        store(state.stalls.data(), load(state.stalls.data()) + only(many, (bits - every(1)) >> 4));
}

/// Loads all but the stalls.
OSCAR_VECTOR_LOOP inline Intervals load(const IntervalState& state) {
    return {load(state.low.data()), load(state.headroom.data()), load(state.held.data())};
}
/// Stores all but the stalls, which count_stalls() keeps.
OSCAR_VECTOR_LOOP inline void store(IntervalState& state, const Intervals& interval) {
    store(state.low.data(), interval.low);
    store(state.headroom.data(), interval.headroom);
    store(state.held.data(), interval.held);
}

}   // namespace oscar::OSCAR_VECTORS

#endif
