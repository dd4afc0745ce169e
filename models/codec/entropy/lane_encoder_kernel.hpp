// Kernel of the encoders of a block.
#pragma once

#include <algorithm>
#include <vector>

#include "models/codec/entropy/lane_group_kernel.hpp"
#include "models/codec/entropy/lane_interval_kernel.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_table_kernel.hpp"
#include "models/codec/entropy/lane_vector.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// State of a group of lanes.
struct EncoderGroup {
    IntervalState interval;
    PackerState<lanes_per_register> symbols, offsets;
};

/// Appends `bits` <= 32 bits to each lane. Precondition: value < 2^bits.
OSCAR_VECTOR_LOOP inline void append(PackerState<lanes_per_register>& state, std::uint32_t* words, Vector value,
                                     Vector bits) {
    const Vector fill = load(state.fill.data()), next = load(state.next.data());
    const Vector aligned = value << (every(32) - bits), end = fill + bits;
    const Vector word = load(state.word.data()) | aligned >> fill;
    const Mask full = every(32) <= end;
    scatter(full, words, next, byte_swap(word));
    store(state.next.data(), next + only(full, every(1)));
    store(state.word.data(), select(full, aligned << (every(32) - fill), word));
    store(state.fill.data(), end & every(31));
}

/// Emissions in memory.
struct StoredEmissions {
    LaneWords<lanes_per_register> settled, leading, held;
};

/// Appends emissions of more than 32 bits, which follow underflow over many symbols.
inline void append_long(PackerState<lanes_per_register>& state, std::uint32_t* words, const StoredEmissions& e) {
    for (std::size_t lane = 0; lane < lanes_per_register; ++lane) {
        if (e.settled[lane] + e.held[lane] <= 32) continue;
        const std::uint32_t rest = e.settled[lane] - 1;
        state.put_with_follow_bits(lane, words, e.leading[lane] >> rest, e.held[lane]);
        if (rest > 0) state.put(lane, words, e.leading[lane] & low_mask(rest), rest);
    }
}

/// Appends the first settled bit, its opposites and the other settled bits, like ArithmeticEncoder::encode().
OSCAR_VECTOR_LOOP inline void append(PackerState<lanes_per_register>& state, std::uint32_t* words, const Emissions& e) {
    Vector bits = e.settled + e.held;
    Vector value = (((every(1) << e.held) - every(1)) << (e.settled - every(1))) + e.leading;
    const Mask is_short = bits <= every(32);
    if (bits_of(is_short) != bits_of(first_elements(lanes_per_register))) [[unlikely]] {
        StoredEmissions stored;
        store(stored.settled.data(), e.settled);
        store(stored.leading.data(), e.leading);
        store(stored.held.data(), e.held);
        append_long(state, words, stored);
        value = only(is_short, value);
        bits = only(is_short, bits);
    }
    append(state, words, value, bits);
}

class BlockEncoder {
public:
    BlockEncoder(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables, BoundStrides strides)
        : symbols_(symbols),
          lanes_(lanes),
          table_(*tables.of_class(0)),
          classes_(tables, strides),
          words_(tables),
          groups_(groups_of(lanes)),
          symbol_buffer_(lanes, most_bits * per_lane() + 2),
          offset_buffer_(lanes, per_lane() * *std::max_element(words_.bits.begin(), words_.bits.end())) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            group(lane).symbols.next[lane % lanes_per_register] = symbol_buffer_.begin(lane);
            group(lane).offsets.next[lane % lanes_per_register] = offset_buffer_.begin(lane);
        }
    }

    /// Codes the symbols of a round in all lanes.
    template <bool one, class Bounds>
    OSCAR_VECTOR_LOOP void run(LanePart part, Bounds& bounds, std::span<LaneWork> work) {
        const BoundColumns<one> columns(bounds);
        const PlaceColumns<one> places(table_, words_);
        for (std::size_t step = part.first; step < part.last; step += lanes_) {
            const std::size_t here = std::min(lanes_, part.last - step);
            for (std::size_t lane = 0; lane < here; lane += lanes_per_register) {
                const Turn turn{step + lane, lane, std::min(lanes_per_register, here - lane),
                                first_elements(here - lane)};
                encode(groups_[lane / lanes_per_register], turn, columns, places, bounds);
            }
        }
        for (std::size_t lane = 0; lane < lanes_; ++lane) add_work(lane, part, work[lane]);
    }
    /// Ends the streams and copies them lane after lane.
    LaneStreams finish() {
        LaneStreams result;
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            const std::uint32_t symbol_bits = finish_symbols(lane);
            const std::uint32_t offset_bits = group(lane).offsets.finish(
                lane % lanes_per_register, offset_buffer_.words(), offset_buffer_.begin(lane));
            result.lengths.push_back({symbol_bits, offset_bits});
        }
        std::uint64_t size = 0;
        for (const LaneLengths& lane : result.lengths)
            size += bytes_for(lane.symbol_bits) + bytes_for(lane.offset_bits);
        result.bytes.reserve(size);
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            copy(result.bytes, symbol_buffer_.bytes(lane), result.lengths[lane].symbol_bits);
            copy(result.bytes, offset_buffer_.bytes(lane), result.lengths[lane].offset_bits);
        }
        return result;
    }

private:
    /// Most bits per symbol: a row of one count leaves 16 or more of at least 2^14 values, and 12 shifts widen 16 to
    /// 2^16.
    static constexpr std::uint64_t most_bits = 12;

    std::size_t per_lane() const { return (symbols_.size() + lanes_ - 1) / lanes_; }
    EncoderGroup& group(std::size_t lane) { return groups_[lane / lanes_per_register]; }

    template <bool one, class Bounds>
    OSCAR_VECTOR_LOOP void encode(EncoderGroup& group, const Turn& turn, const BoundColumns<one>& columns,
                                  const PlaceColumns<one>& places, Bounds& bounds) {
        const TableIndex tables = classes_.index(turn);
        const auto [row, offset, offset_bits] =
            places.locate(tables.places, load(turn.active, symbols_.data() + turn.i));
        append(group.offsets, offset_buffer_.words(), only(turn.active, offset), only(turn.active, offset_bits));
        Intervals interval = load(group.interval);
        const Vector range = range_of(interval);
        const Vector start = scaled(range, columns.below.at(tables.bounds, row)),
                     end = scaled(range, columns.above.at(tables.bounds, row));
        const Emissions e = narrow(interval, range, only(turn.active, start), select(turn.active, end, range));
        store(group.interval, interval);
        count_stalls(group.interval, e.settled + e.held);
        append(group.symbols, symbol_buffer_.words(), e);
        update(bounds, classes_, turn, row);
    }
    void add_work(std::size_t lane, LanePart part, LaneWork& work) {
        const std::size_t k = lane % lanes_per_register;
        work.values += values_of_lane(part.last - part.first, lanes_, lane);
        work.stalls = group(lane).interval.stalls[k];
        work.offset_bits =
            32 * (group(lane).offsets.next[k] - offset_buffer_.begin(lane)) + group(lane).offsets.fill[k];
    }
    std::uint32_t finish_symbols(std::size_t lane) {   // like ArithmeticEncoder::finish()
        PackerState<lanes_per_register>& state = group(lane).symbols;
        const std::size_t k = lane % lanes_per_register;
        const std::uint32_t bit = group(lane).interval.low[k] < 0x4000u << 16 ? 0 : 1;
        state.put_with_follow_bits(k, symbol_buffer_.words(), bit, group(lane).interval.held[k] + 1);
        return state.finish(k, symbol_buffer_.words(), symbol_buffer_.begin(lane));
    }
    static void copy(std::vector<std::byte>& out, const std::byte* stream, std::uint32_t bits) {
        out.insert(out.end(), stream, stream + bytes_for(bits));
    }

    std::span<const Symbol> symbols_;
    std::size_t lanes_;
    const Table& table_;
    Classes classes_;
    PlaceWords words_;
    std::vector<EncoderGroup> groups_;
    StreamBuffer symbol_buffer_, offset_buffer_;
};

/// avx2::encode_lanes() or avx512::encode_lanes().
inline LaneStreams encode_block(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                                const Adaptation& adaptation) {
    return with_bounds(tables, adaptation, lanes, [&](auto bounds) {
        BlockEncoder encoder(symbols, lanes, tables, bounds.strides());
        const bool one = tables.count() == 1 && bounds.strides().by_lane == 0;
        const CodingCost work =
            run_rounds_of_all(symbols.size(), lanes, bounds, [&](LanePart part, std::span<LaneWork> done) {
                if (one) encoder.run<true>(part, bounds, done);
                else encoder.run<false>(part, bounds, done);
            });
        LaneStreams result = encoder.finish();
        result.work = work;
        return result;
    });
}

}   // namespace oscar::OSCAR_VECTORS

#endif
