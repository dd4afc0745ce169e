// Kernel of groups of lanes, as many as a register holds, and of their classes and adaptation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "models/codec/bits/vector.hpp"
#include "models/codec/entropy/lane_bounds.hpp"
#include "models/codec/entropy/lane_packer.hpp"

#if defined(__x86_64__)

namespace oscar::OSCAR_VECTORS {

/// Groups that hold `lanes` lanes; the last may be partly filled.
constexpr std::size_t groups_of(std::size_t lanes) { return (lanes + lanes_per_register - 1) / lanes_per_register; }

/// One symbol of each lane of a group: symbols i .. i + size - 1.
struct Turn {
    std::size_t i, first_lane, size;
    Mask active;
};

/// Index of the first word of each lane's table, in the bounds and in PlaceWords; 0 for lanes that are not active.
struct TableIndex {
    Vector bounds, places;
};

/// Classes of the symbols of a block.
class Classes {
public:
    Classes(const Tables& tables, BoundStrides strides)
        : classes_(tables.count() > 1 ? tables.classes().data() : nullptr), strides_(strides) {}

    /// The first word of each lane's table, by its lane and the class of its symbol.
    OSCAR_VECTOR_LOOP TableIndex index(const Turn& turn) const {
        const Vector c = classes_ != nullptr ? load_bytes(turn.active, classes_ + turn.i) : every(0);
        const Vector lane = every(static_cast<std::uint32_t>(turn.first_lane)) + ascending();
        const Vector bounds = c * every(strides_.by_class) + lane * every(strides_.by_lane);
        return {only(turn.active, bounds), c * every(table_rows)};   // lanes beyond the last have no bounds to look up
    }
    /// The class of symbol i; 0 where there is one table.
    std::size_t of(std::size_t i) const { return classes_ != nullptr ? classes_[i] : 0; }

private:
    const std::uint8_t* classes_;
    BoundStrides strides_;
};

/// SymbolCounts::update(), for all bounds at once.
OSCAR_VECTOR_LOOP inline void move_bounds(SymbolCounts& counts, std::uint32_t row) {
    const auto [rate, quick_rate] = counts.next_rates();
    const auto [steady_words, quick_words, starts] = counts.numbers();
    const Mask all = first_elements(lanes_per_register);
    for (std::size_t first = 0; first < table_rows; first += lanes_per_register) {
        const Vector k = ascending() + every(static_cast<std::uint32_t>(first));
        const Vector target = only(every(row) < k, every(SymbolCounts::one));
        const Vector old = load(all, steady_words + first), steady = old + shift_signed(target - old, rate);
        store(all, steady_words + first, steady);
        Vector place = steady;
        if (quick_words != nullptr) {
            const Vector before = load(all, quick_words + first),
                         quick = before + shift_signed(target - before, quick_rate);
            store(all, quick_words + first, quick);
            place = (steady + quick) >> 1;
        }
        store(all, starts + first, (((place << 10) - (place << 4)) >> 16) + k);
    }
}

/// Updates adaptive bounds with the rows of a turn.
OSCAR_VECTOR_LOOP inline void update(FixedBounds&, const Classes&, const Turn&, Vector) {}
/// Counts the rows; the bounds change only in BlockBounds::synchronise().
OSCAR_VECTOR_LOOP inline void update(BlockBounds& bounds, const Classes& classes, const Turn& turn, Vector row) {
    LaneWords<lanes_per_register> rows;
    store(rows.data(), row);
    for (std::size_t k = 0; k < turn.size; ++k) bounds.update(classes.of(turn.i + k), turn.first_lane + k, rows[k]);
}
/// Moves the bounds of each active lane by its row.
OSCAR_VECTOR_LOOP inline void update(SymbolBounds& bounds, const Classes& classes, const Turn& turn, Vector row) {
    LaneWords<lanes_per_register> rows;
    store(rows.data(), row);
    for (std::size_t k = 0; k < turn.size; ++k)
        move_bounds(bounds.of(classes.of(turn.i + k), turn.first_lane + k), rows[k]);
}

}   // namespace oscar::OSCAR_VECTORS

#endif
