#include "models/codec/entropy/lane_sizes.hpp"

#include <algorithm>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/arithmetic_coder.hpp"
#include "models/codec/entropy/lane_costs.hpp"

namespace oscar {

namespace {

constexpr std::uint64_t byte_fraction = 256;   // of a byte, in which expectations are added up
constexpr std::uint64_t ending_bits = 2;       // of every symbol stream

// Bits of a symbol stream of `values` times the same row.
std::uint64_t repeated_row_bits(const Table& table, std::uint32_t row, std::uint64_t values) {
    CodingInterval interval;
    std::uint64_t shifts = 0;
    for (; values > 0; --values) shifts += interval.narrow(table.cumulative[row], table.cumulative[row + 1]).shift;
    return shifts + ending_bits;
}

// Adds the lanes of a block up.
class Streams {
public:
    void add_exact(std::uint64_t symbol_bits, std::uint64_t offset_bits) {
        add(byte_fraction * bytes_for(symbol_bits), symbol_bits, offset_bits);
    }
    void add_expected(const LaneCost& cost) {
        add(expected_stream_bytes(cost.row_bits), (cost.row_bits >> fraction_bits) + ending_bits, cost.offset_bits);
    }
    LaneSizes take(std::uint64_t values, std::uint64_t sub_stream_slots) {
        sizes_.bytes += (parts_ + byte_fraction / 2) / byte_fraction;
        sizes_.work.values = values;
        sizes_.work.sub_stream_slots = sizes_.work.searches = sub_stream_slots;   // packer stalls are left out
        return sizes_;
    }

private:
    void add(std::uint64_t symbol_parts, std::uint64_t symbol_bits, std::uint64_t offset_bits) {
        parts_ += symbol_parts;
        sizes_.bytes += bytes_for(offset_bits);
        sizes_.work.chunks += packer_chunks(symbol_parts / byte_fraction + bytes_for(offset_bits));
        sizes_.longest_bits = std::max({sizes_.longest_bits, symbol_bits, offset_bits});
        sizes_.work.offset_bits += offset_bits;
    }

    std::uint64_t parts_ = 0;
    LaneSizes sizes_;
};

// Lanes of one row, most of which are alike.
class RepeatedRows {
public:
    explicit RepeatedRows(const Table& table) : table_(table) {}
    std::uint64_t bits(std::uint32_t row, std::uint64_t values) {
        if (row != row_ || values != values_) {
            row_ = row;
            values_ = values;
            bits_ = repeated_row_bits(table_, row, values);
        }
        return bits_;
    }

private:
    const Table& table_;
    std::uint32_t row_ = 0;
    std::uint64_t values_ = 0, bits_ = 0;
};

bool of_one_row(std::span<const Symbol> symbols, const Tables& tables) {
    const auto row = [&](std::size_t i) {
        return tables.of_class(tables.count() > 1 ? tables.classes()[i] : 0)->locate(symbols[i]).row;
    };
    for (std::size_t i = 1; i < symbols.size(); ++i)
        if (row(i) != row(0)) return false;
    return true;
}

}   // namespace

// Of the interval that I bits leave, wide 2^-f of a unit after floor(I) shifts (f the fraction of I), the last shift is
// missing if at half that width, v, it lies across the bounds of the lower, the upper and the middle half: it does not
// with probability 3 (1/2 - v) / (1 - v) if it may lie anywhere. f (1.72 - 0.72 f) is that within 0.02.
std::uint64_t expected_stream_bytes(std::uint64_t bits) {
    const std::uint64_t whole = bits >> fraction_bits, f = bits >> (fraction_bits - 8) & 0xFF;
    const std::uint64_t longer = bytes_for(whole + ending_bits), shorter = bytes_for(whole + ending_bits - 1);
    return byte_fraction * shorter + (longer - shorter) * (f * (440 - 184 * f / 256) / 256);
}

std::optional<LaneSizes> size_lanes(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                    const Tables& tables) {
    if (tables.count() > 1 && of_one_row(symbols, tables)) return std::nullopt;
    std::vector<RowBits> bits;
    for (std::size_t c = 0; c < tables.count(); ++c) bits.push_back(arithmetic_bits(tables.of_class(c)->cumulative));
    const auto costs = lane_costs(symbols, width, lanes, tables, bits);
    const Table& table = *tables.of_class(0);
    RepeatedRows repeated(table);
    Streams streams;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t values = values_of_lane(symbols.size(), lanes, lane);
        const std::uint32_t row = table.locate(symbols[lane]).row;
        if (tables.count() == 1 && costs[lane].row_bits == values * bits[0][row])
            streams.add_exact(repeated.bits(row, values), costs[lane].offset_bits);
        else streams.add_expected(costs[lane]);
    }
    return streams.take(symbols.size(), values_of_lane(symbols.size(), lanes, 0));
}

}   // namespace oscar
