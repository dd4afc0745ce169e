#include "models/codec/rans_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>

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

std::vector<EncodingRow> encoding_rows(const Cumulative& cumulative) {
    std::vector<EncodingRow> rows;
    for (std::size_t row = 0; row < table_rows; ++row) rows.emplace_back(cumulative[row], cumulative[row + 1]);
    return rows;
}

// What the lowest 10 bits of a state say. Those that belong to no row (a total below 1024) lead to state 0.
struct Slot {
    std::uint16_t count = 0, within = 0;
    std::uint32_t row = 0;   // 32 bits wide, so that a slot is one word of 64
};

std::array<Slot, probability_total> slots_of(const Cumulative& cumulative) {
    std::array<Slot, probability_total> slots{};
    for (std::uint16_t row = 0; row < table_rows; ++row)
        for (std::uint32_t at = cumulative[row]; at < cumulative[row + 1]; ++at)
            slots[at] = {static_cast<std::uint16_t>(cumulative[row + 1] - cumulative[row]),
                         static_cast<std::uint16_t>(at - cumulative[row]), row};
    return slots;
}

void require(bool condition, const char* what) {
    if (!condition) throw CorruptStream(what);
}

}   // namespace

Reciprocal::Reciprocal(std::uint32_t divisor) : shift(31 + static_cast<std::uint32_t>(std::bit_width(divisor - 1))) {
    factor = ((std::uint64_t{1} << shift) + divisor - 1) / divisor;
}

RansStreams encode_rows(std::span<const std::uint8_t> rows, std::uint32_t lanes, const Cumulative& cumulative) {
    const std::vector<EncodingRow> table = encoding_rows(cumulative);
    std::vector<std::uint32_t> states(lanes, rans_floor);
    std::vector<std::uint16_t> words(rows.size() + 1);   // at most one each, and one that is written ahead
    std::uint32_t* const state = states.data();
    std::uint16_t* top = words.data() + rows.size();   // where the next word goes; they grow downwards
    for (std::size_t end = rows.size(); end > 0;) {
        const std::size_t first = (end - 1) / lanes * lanes;
        for (; end > first; --end) {
            const EncodingRow& row = table[rows[end - 1]];
            const std::uint32_t x = state[end - 1 - first];
            const std::uint32_t full = x >= row.limit ? 1 : 0;
            *top = static_cast<std::uint16_t>(x & 0xFFFF);
            top -= full;
            const std::uint32_t kept = x >> (16 * full);
            state[end - 1 - first] = kept + row.start + row.count.divide(kept) * row.complement;
        }
    }
    words.erase(words.begin(), words.begin() + (top + 1 - words.data()));
    return {std::move(states), std::move(words)};
}

std::vector<std::uint8_t> decode_rows(RansStreams streams, std::size_t size, const Cumulative& cumulative) {
    auto& [states, words] = streams;
    require(std::ranges::all_of(states, [](std::uint32_t x) { return x >= rans_floor && x >> 31 == 0; }),
            "rans: a state is not 2^15 .. 2^31-1");
    const std::array<Slot, probability_total> slots = slots_of(cumulative);
    const std::size_t lanes = states.size(), given = words.size();
    words.resize(given + lanes + 1);   // every lane may take one beyond the end before it is noticed
    std::vector<std::uint8_t> rows(size);
    std::uint32_t* const state = states.data();
    std::uint8_t* const row = rows.data();
    const std::uint16_t* next = words.data();
    for (std::size_t first = 0; first < size; first += lanes) {
        const std::size_t last = std::min(size, first + lanes);
        for (std::size_t i = first; i < last; ++i) {
            const std::uint32_t old = state[i - first];
            const Slot slot = slots[old & (probability_total - 1)];
            const std::uint32_t x = slot.count * (old >> probability_bits) + slot.within;
            const std::uint32_t empty = x < rans_floor ? 1 : 0;
            state[i - first] = x << 16 * empty | (*next & (0 - empty));
            next += empty;
            row[i] = static_cast<std::uint8_t>(slot.row);
        }
        require(next <= words.data() + given, "rans: the words end before the rows do");
    }
    require(next == words.data() + given, "rans: words behind the last row");
    require(std::ranges::all_of(states, [](std::uint32_t x) { return x == rans_floor; }),
            "rans: a lane does not end where its encoder began");
    return rows;
}

}   // namespace oscar
