#include "models/codec/entropy/rans_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "models/codec/bits/avx512.hpp"
#include "models/codec/entropy/rans_vector.hpp"

namespace oscar {

namespace {

// One row as the encoder wants it: state = state + start + (state / count) * (1024 - count), which is
// (state / count) * 1024 + start + state % count.
struct EncodingRow {
    Reciprocal count;
    std::uint32_t start, complement;
    std::uint32_t limit;   // states from here on give a word first, so that the next one stays below 2^31

    EncodingRow(std::uint32_t below, std::uint32_t above)
        : count(above - below),
          start(below),
          complement(probability_total - (above - below)),
          limit((above - below) << (31 - probability_bits)) {}
};

// The rows of each table, one table after the other.
std::vector<EncodingRow> encoding_rows(const Tables& tables) {
    std::vector<EncodingRow> rows;
    for (std::size_t c = 0; c < tables.count(); ++c) {
        const Cumulative& cumulative = tables.of_class(c)->cumulative;
        for (std::size_t row = 0; row < table_rows; ++row) rows.emplace_back(cumulative[row], cumulative[row + 1]);
    }
    return rows;
}

// What the lowest 10 bits of a state say. Those that belong to no row (a total below 1024) lead to state 0.
struct Slot {
    std::uint16_t count = 0, within = 0;
    std::uint32_t row = 0;   // 32 bits wide, so that a slot is one word of 64
};

// The slots of each table, one table after the other.
std::vector<Slot> slots_of(const Tables& tables) {
    std::vector<Slot> slots(tables.count() * probability_total);
    for (std::size_t c = 0; c < tables.count(); ++c) {
        const Cumulative& cumulative = tables.of_class(c)->cumulative;
        for (std::uint16_t row = 0; row < table_rows; ++row)
            for (std::uint32_t at = cumulative[row]; at < cumulative[row + 1]; ++at)
                slots[c * probability_total + at] = {static_cast<std::uint16_t>(cumulative[row + 1] - cumulative[row]),
                                                     static_cast<std::uint16_t>(at - cumulative[row]), row};
    }
    return slots;
}

// Classes of the symbols where there are tables by class, null where one table is for all.
const std::uint8_t* classes_of(const Tables& tables) { return tables.count() > 1 ? tables.classes().data() : nullptr; }

// Rounds of `size` rows that 16 lanes at a time can do.
std::size_t vector_rounds(std::size_t size, std::size_t lanes, const Tables& tables) {
    return avx512::available() && tables.count() == 1 && lanes % avx512::lanes_per_register == 0 ? size / lanes : 0;
}

// Rows first .. end - 1, the last first; returns where the next word goes.
std::uint16_t* encode_rest(std::span<const std::uint8_t> rows, std::size_t begin, const Tables& tables,
                           std::vector<std::uint32_t>& states, std::uint16_t* top) {
    const std::vector<EncodingRow> table = encoding_rows(tables);
    const std::uint8_t* const classes = classes_of(tables);
    const std::size_t lanes = states.size();
    std::uint32_t* const state = states.data();
    for (std::size_t end = rows.size(); end > begin;) {
        const std::size_t first = (end - 1) / lanes * lanes;
        for (; end > first; --end) {
            const std::size_t i = end - 1;
            const EncodingRow& row = table[rows[i] + (classes != nullptr ? classes[i] * table_rows : 0)];
            const std::uint32_t x = state[i - first];
            const std::uint32_t full = x >= row.limit ? 1 : 0;
            *top = static_cast<std::uint16_t>(x & 0xFFFF);
            top -= full;
            const std::uint32_t kept = x >> (16 * full);
            state[i - first] = kept + row.start + row.count.divide(kept) * row.complement;
        }
    }
    return top;
}

// Rows from `begin` on; returns the next word, which may lie beyond `end`.
const std::uint16_t* decode_rest(std::span<std::uint8_t> rows, std::size_t begin, const Tables& tables,
                                 std::vector<std::uint32_t>& states, const std::uint16_t* next,
                                 const std::uint16_t* end) {
    const std::vector<Slot> slots = slots_of(tables);
    const std::uint8_t* const classes = classes_of(tables);
    const std::size_t lanes = states.size();
    std::uint32_t* const state = states.data();
    for (std::size_t first = begin; first < rows.size() && next <= end; first += lanes) {
        const std::size_t last = std::min(rows.size(), first + lanes);
        for (std::size_t i = first; i < last; ++i) {
            const std::uint32_t old = state[i - first];
            const Slot slot = slots[(old & (probability_total - 1)) +
                                    (classes != nullptr ? classes[i] * std::size_t{probability_total} : 0)];
            const std::uint32_t x = slot.count * (old >> probability_bits) + slot.within;
            const std::uint32_t empty = x < rans_floor ? 1 : 0;
            state[i - first] = x << 16 * empty | (*next & (0 - empty));
            next += empty;
            rows[i] = static_cast<std::uint8_t>(slot.row);
        }
    }
    return next;
}

}   // namespace

Reciprocal::Reciprocal(std::uint32_t divisor) : shift(static_cast<std::uint32_t>(std::bit_width(divisor - 1))) {
    factor = static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + shift)) + divisor - 1) / divisor);
}

RansStreams encode_rows(std::span<const std::uint8_t> rows, std::vector<std::uint32_t> states, const Tables& tables) {
    const std::size_t lanes = states.size();
    std::vector<std::uint16_t> words(rows.size() + 1);   // at most one each, and one that is written ahead
    const std::size_t rounds = vector_rounds(rows.size(), lanes, tables);
    // Words grow downwards from the end.
    std::uint16_t* top = encode_rest(rows, rounds * lanes, tables, states, words.data() + rows.size());
    if (rounds > 0)
        avx512::encode_rounds(rows.data(), rounds, lanes, tables.of_class(0)->cumulative, states.data(), top);
    words.erase(words.begin(), words.begin() + (top + 1 - words.data()));
    return {std::move(states), std::move(words)};
}

DecodedRows decode_rows(RansStreams streams, std::size_t size, const Tables& tables) {
    auto& states = streams.states;
    auto& words = streams.words;
    require_intact(std::ranges::all_of(states, [](std::uint32_t x) { return x >= rans_floor && x >> 31 == 0; }),
                   "rans: a state is not 2^15 .. 2^31-1");
    const std::size_t lanes = states.size(), given = words.size();
    // Each lane may take one beyond the end before it is noticed.
    words.resize(given + lanes + avx512::lanes_per_register);
    const std::uint16_t *next = words.data(), *const end = words.data() + given;
    std::vector<std::uint8_t> rows(size);
    const std::size_t rounds = vector_rounds(size, lanes, tables);
    if (rounds > 0)
        avx512::decode_rounds(rows.data(), rounds, lanes, tables.of_class(0)->cumulative, states.data(), next, end);
    if (rounds * lanes < size) next = decode_rest(rows, rounds * lanes, tables, states, next, end);
    require_intact(next <= end, "rans: the words end before the rows do");
    require_intact(next == end, "rans: words after the last row");
    require_intact(std::ranges::all_of(states, [](std::uint32_t x) { return x >> rans_room_bits == 1; }),
                   "rans: a lane does not end where an encoder can begin");
    return {std::move(rows), std::move(states)};
}

}   // namespace oscar
