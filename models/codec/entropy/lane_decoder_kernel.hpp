// Kernel of the decoders of a block.
#pragma once

#include <algorithm>
#include <vector>

#include "models/codec/entropy/arithmetic_coder.hpp"
#include "models/codec/entropy/lane_group_kernel.hpp"
#include "models/codec/entropy/lane_interval_kernel.hpp"
#include "models/codec/entropy/lane_padding.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_table_kernel.hpp"
#include "models/codec/entropy/lane_vector.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// Read positions of the streams of a group, in the bytes of a PaddedStreams.
struct alignas(64) ReaderState {
    LaneWords<lanes_per_register> position{};   ///< of the next bit
    LaneWords<lanes_per_register> end{};        ///< the byte after the stream
};

/// State of a group of lanes.
struct DecoderGroup {
    IntervalState interval;
    ReaderState symbols, offsets;
    alignas(64) LaneWords<lanes_per_register> ahead{};   ///< code - low
    LaneWords<lanes_per_register> magnitudes{};          ///< bitwise OR of the symbols' magnitudes
    std::uint32_t illegal = 0;                           ///< lanes with an offset beyond its row
};

/// Reads the next bits of each stream, at most 25. After the end of a stream all bits are zero.
OSCAR_VECTOR_LOOP inline Vector read(ReaderState& state, const std::byte* bytes, Vector bits) {
    const Vector position = load(state.position.data());
    const Vector word = gather_at_bytes(bytes, lesser(position >> 3, load(state.end.data())));
    store(state.position.data(), position + bits);
    return byte_swap(word) << (position & every(7)) >> (every(32) - bits);
}
/// Reads the next bits of each stream, at most 32.
OSCAR_VECTOR_LOOP inline Vector read_long(ReaderState& state, const std::byte* bytes, Vector bits) {
    const Vector some = lesser(bits, every(16)), rest = bits - some;
    const Vector upper = read(state, bytes, some);
    return upper << rest | read(state, bytes, rest);
}

class BlockDecoder {
public:
    BlockDecoder(std::span<const LaneInput> lanes, const Tables& tables, BoundStrides strides, std::span<Symbol> out)
        : out_(out),
          lanes_(lanes.size()),
          table_(*tables.of_class(0)),
          classes_(tables, strides),
          words_(tables),
          streams_(lanes),
          groups_(groups_of(lanes_)),
          long_offsets_(*std::max_element(words_.bits.begin(), words_.bits.end()) > 25) {
        for (std::size_t c = 0; c < tables.count(); ++c)
            partial_ = partial_ || tables.of_class(c)->cumulative.back() < probability_total;
        for (std::size_t lane = 0; lane < lanes_; ++lane) begin(lane);
    }

    /// Decodes the symbols of a round in all lanes. Throws CorruptStream if a lane's stream holds no row.
    template <bool one, class Bounds>
    OSCAR_VECTOR_LOOP void run(LanePart part, Bounds& bounds, std::span<LaneWork> work) {
        const BoundColumns<one> columns(bounds);
        const PlaceColumns<one> places(table_, words_);
        for (std::size_t step = part.first; step < part.last; step += lanes_) {
            const std::size_t here = std::min(lanes_, part.last - step);
            for (std::size_t lane = 0; lane < here; lane += lanes_per_register) {
                const Turn turn{step + lane, lane, std::min(lanes_per_register, here - lane),
                                first_elements(here - lane)};
                decode(groups_[lane / lanes_per_register], turn, columns, places, bounds);
            }
        }
        for (std::size_t lane = 0; lane < lanes_; ++lane) add_work(lane, part, work[lane]);
    }
    /// The state of each lane's decoder; after the last round it tells whether the stream was used up and legal.
    std::vector<LaneEnd> ends() const {
        std::vector<LaneEnd> ends(lanes_);
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            const DecoderGroup& group = groups_[lane / lanes_per_register];
            const std::size_t k = lane % lanes_per_register;
            const std::uint32_t shifts = group.symbols.position[k] - 8 * streams_.symbols(lane).begin - code_bits;
            ends[lane] = {std::uint64_t{shifts} + 2, offset_bits(lane), group.magnitudes[k],
                          (group.illegal >> k & 1) == 0};
        }
        return ends;
    }

private:
    static constexpr std::uint32_t code_bits = 16;

    void begin(std::size_t lane) {
        DecoderGroup& group = groups_[lane / lanes_per_register];
        const std::size_t k = lane % lanes_per_register;
        const PaddedStreams::Place symbols = streams_.symbols(lane), offsets = streams_.offsets(lane);
        group.ahead[k] = streams_.first_16_bits(symbols);
        group.symbols.position[k] = 8 * symbols.begin + code_bits;
        group.symbols.end[k] = symbols.end;
        group.offsets.position[k] = 8 * offsets.begin;
        group.offsets.end[k] = offsets.end;
    }

    template <bool one, class Bounds>
    OSCAR_VECTOR_LOOP void decode(DecoderGroup& group, const Turn& turn, const BoundColumns<one>& columns,
                                  const PlaceColumns<one>& places, Bounds& bounds) {
        const TableIndex tables = classes_.index(turn);
        Intervals interval = load(group.interval);
        const Vector range = range_of(interval), ahead = load(group.ahead.data());
        const Vector count = count_at(ahead, range);
        const Vector row = last_row_at_most(columns.below, tables.bounds, count);
        if (partial_) require_row(turn, columns.total(tables.bounds), count);
        const Vector start = only(turn.active, scaled(range, columns.below.at(tables.bounds, row)));
        const Vector end = select(turn.active, scaled(range, columns.above.at(tables.bounds, row)), range);
        const Emissions e = narrow(interval, range, start, end);
        store(group.interval, interval);
        count_stalls(group.interval, e.settled + e.held);
        const Vector next = read(group.symbols, streams_.bytes(), e.shift);
        store(group.ahead.data(), (ahead - start) << e.shift | next);
        put_symbols(group, turn, places, tables.places, row);
        update(bounds, classes_, turn, row);
    }
    /// Returns the last count of 1024 whose scaled bound is at most `ahead`.
    OSCAR_VECTOR_LOOP static Vector count_at(Vector ahead, Vector range) {
        const Vector numerator = ((ahead + every(1)) << probability_bits) - every(1);
        const Vector count = rough_quotient(numerator, range);
        return count + only(range <= numerator - count * range, every(1));
    }
    OSCAR_VECTOR_LOOP static void require_row(const Turn& turn, Vector total, Vector count) {
        if (any(turn.active & (total <= count))) ArithmeticDecoder::fail();
    }
    template <bool one>
    OSCAR_VECTOR_LOOP void put_symbols(DecoderGroup& group, const Turn& turn, const PlaceColumns<one>& places,
                                       Vector where, Vector row) {
        const Vector bits = only(turn.active, places.bits(where, row));
        const Vector offset = long_offsets_ ? read_long(group.offsets, streams_.bytes(), bits)
                                            : read(group.offsets, streams_.bytes(), bits);
        const auto [symbol, illegal] = places.value(where, row, offset);
        store(turn.active, out_.data() + turn.i, symbol);
        store(group.magnitudes.data(), load(group.magnitudes.data()) | only(turn.active, magnitude(symbol)));
        group.illegal |= bits_of(turn.active & illegal);
    }
    std::uint32_t offset_bits(std::size_t lane) const {
        return groups_[lane / lanes_per_register].offsets.position[lane % lanes_per_register] -
               8 * streams_.offsets(lane).begin;
    }
    void add_work(std::size_t lane, LanePart part, LaneWork& work) const {
        work.values += values_of_lane(part.last - part.first, lanes_, lane);
        work.stalls = groups_[lane / lanes_per_register].interval.stalls[lane % lanes_per_register];
        work.offset_bits = offset_bits(lane);
    }

    std::span<Symbol> out_;
    std::size_t lanes_;
    const Table& table_;
    Classes classes_;
    PlaceWords words_;
    PaddedStreams streams_;
    std::vector<DecoderGroup> groups_;
    bool long_offsets_;
    bool partial_ = false;   // some table has a total below 1024
};

/// avx2::decode_lanes() or avx512::decode_lanes(). Throws CorruptStream if a stream holds no row.
inline DecodedLanes decode_block(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                                 std::span<Symbol> out) {
    return with_bounds(tables, adaptation, lanes.size(), [&](auto bounds) {
        BlockDecoder decoder(lanes, tables, bounds.strides(), out);
        const bool one = tables.count() == 1 && bounds.strides().by_lane == 0;
        const CodingCost work =
            run_rounds_of_all(out.size(), lanes.size(), bounds, [&](LanePart part, std::span<LaneWork> done) {
                if (one) decoder.run<true>(part, bounds, done);
                else decoder.run<false>(part, bounds, done);
            });
        return DecodedLanes{work, decoder.ends()};
    });
}

}   // namespace oscar::OSCAR_VECTORS

#endif
