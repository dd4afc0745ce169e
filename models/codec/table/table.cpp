#include "models/codec/table/table.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace oscar {

namespace {

// round(256 * log2(count)) by repeated squaring: the bits of log2 of the mantissa come out one by one, most significant
// first, each a squaring that did or did not reach 2. 31 fractional bits are plenty for 9 squarings; tested for each
// count.
constexpr std::uint32_t scaled_log2(std::uint32_t count) {
    const auto whole = static_cast<std::uint32_t>(std::bit_width(count)) - 1;
    std::uint64_t mantissa = std::uint64_t{count} << (31 - whole);   // in [1, 2), 31 fractional bits
    std::uint32_t result = whole;
    for (int bit = 0; bit < 9; ++bit) {   // 8 fractional bits and one to round by
        mantissa = mantissa * mantissa >> 31;
        const bool reached = mantissa >= std::uint64_t{2} << 31;
        mantissa >>= reached ? 1 : 0;
        result = result * 2 + (reached ? 1 : 0);
    }
    return (result + 1) / 2;
}

constexpr auto row_costs = [] {
    std::array<std::uint16_t, probability_total + 1> costs{};
    for (std::uint32_t count = 1; count <= probability_total; ++count)
        costs[count] = static_cast<std::uint16_t>(probability_bits * 256 - scaled_log2(count));
    return costs;
}();

}   // namespace

Table Table::magnitudes(std::uint32_t width, const Cumulative& cumulative) {
    Table table{.layout = Layout::magnitude, .width = width, .cumulative = cumulative};
    for (std::size_t row = 0; row < table_rows; ++row) table.offset_bits[row] = static_cast<std::uint8_t>(row);
    if (width > table_rows) table.offset_bits.back() = static_cast<std::uint8_t>(width);
    return table;
}

Table Table::ranges(std::uint32_t width, const std::array<std::uint32_t, table_rows>& first,
                    const Cumulative& cumulative) {
    Table table{.layout = Layout::ranges, .width = width, .first = first, .cumulative = cumulative};
    const std::uint64_t patterns = std::uint64_t{1} << width;
    const std::size_t rows = rows_for(width);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t size = (row + 1 < rows ? first[row + 1] : patterns) - first[row];
        table.offset_bits[row] = static_cast<std::uint8_t>(std::bit_width(size - 1));   // ceil(log2(size))
    }
    for (std::size_t row = rows; row < table_rows; ++row) table.first[row] = static_cast<std::uint32_t>(patterns);
    return table;
}

std::size_t Table::rows_for(std::uint32_t width) { return std::min(table_rows, std::size_t{1} << width); }

std::uint32_t Table::cost(std::int32_t symbol) const {
    const std::uint32_t row = locate(symbol).row;
    return row_cost(count(row)) + offset_bits[row] * 256u;
}

std::array<std::byte, Table::image_bytes> Table::image() const {
    std::array<std::byte, image_bytes> bytes{};
    std::size_t at = 0;
    const auto put = [&](std::uint32_t value, int size) {
        for (int i = 0; i < size; ++i) bytes[at++] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
    };
    put(static_cast<std::uint32_t>(layout), 1);
    put(width, 1);
    for (const std::uint32_t pattern : first) put(pattern, 4);
    for (const std::uint8_t bits : offset_bits) put(bits, 1);
    for (const std::uint16_t counts : cumulative) put(counts, 2);
    return bytes;
}

std::uint16_t Table::check() const {
    const auto bytes = image();
    boost::crc_ccitt_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return static_cast<std::uint16_t>(crc.checksum());
}

Cumulative normalise(std::span<const std::uint64_t, table_rows> counts) {
    const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (sum == 0) throw std::invalid_argument("normalise: no row was ever hit, so there is nothing to make a table of");
    std::array<std::uint64_t, table_rows> shares{};
    std::ranges::transform(counts, shares.begin(),
                           [sum](std::uint64_t n) { return 1 + n * (probability_total - table_rows) / sum; });
    const std::uint64_t given = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    *std::ranges::max_element(shares) += probability_total - given;   // max_element is the first of equals
    Cumulative cumulative{};
    for (std::size_t row = 0; row < table_rows; ++row)
        cumulative[row + 1] = static_cast<std::uint16_t>(cumulative[row] + shares[row]);
    return cumulative;
}

std::uint32_t row_cost(std::uint32_t count) { return row_costs.at(count); }

void add(Counts& counts, const Counts& more) {
    counts.resize(std::max(counts.size(), more.size()));
    std::ranges::transform(more, counts, counts.begin(), std::plus{});
}

}   // namespace oscar
