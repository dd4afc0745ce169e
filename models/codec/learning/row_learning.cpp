#include "models/codec/learning/row_learning.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <vector>

#include "models/codec/bits/avx512.hpp"
#include "models/codec/learning/binning.hpp"
#include "models/codec/learning/magnitude_counts.hpp"
#include "models/codec/learning/table_search.hpp"

namespace oscar {

namespace {

void learn_magnitudes(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) {
    const Table rows = Table::magnitudes(width, {});
    counts.resize(table_rows);
    const bool vectors = avx512::available() && width < table_rows;
    const std::size_t begin = vectors ? symbols.size() / avx512::symbols_per_step * avx512::symbols_per_step : 0;
    if (begin > 0) avx512::count_magnitudes(symbols.data(), begin, counts.data());
    for (const Symbol symbol : symbols.subspan(begin)) ++counts[rows.locate(symbol).row];
}

constexpr std::uint32_t counted_width = 11;   // up to here patterns are counted, and put into bins afterwards
constexpr std::size_t counted_apart = 4;      // symbols in a row whose counters do not wait for each other

/// Per pattern of `width` bits, two's complement.
std::vector<std::uint64_t> count_patterns(std::span<const Symbol> symbols, std::uint32_t width) {
    const std::size_t patterns = std::size_t{1} << width, mask = patterns - 1;
    std::array<std::vector<std::uint32_t>, counted_apart> parts;   // 32 bits: enough for 64 GiB of one symbol
    for (auto& part : parts) part.assign(patterns, 0);
    std::size_t i = 0;
    for (; i + counted_apart <= symbols.size(); i += counted_apart)
        for (std::size_t k = 0; k < counted_apart; ++k) ++parts[k][static_cast<std::uint32_t>(symbols[i + k]) & mask];
    for (; i < symbols.size(); ++i) ++parts[0][static_cast<std::uint32_t>(symbols[i]) & mask];
    std::vector<std::uint64_t> result(patterns);
    for (const auto& part : parts) std::ranges::transform(result, part, result.begin(), std::plus{});
    return result;
}

void learn_bins(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) {
    const Binning binning(width);
    counts.resize(binning.bins());
    if (width > counted_width || symbols.size() >> width == 0) {   // fewer symbols than patterns
        for (const Symbol symbol : symbols) ++counts[binning.bin(symbol)];
        return;
    }
    const auto patterns = count_patterns(symbols, width);
    const std::int64_t half = std::int64_t{1} << (width - 1);
    for (std::int64_t symbol = -half; symbol < half; ++symbol)
        counts[binning.bin(static_cast<Symbol>(symbol))] +=
            patterns[static_cast<std::size_t>(symbol) & (patterns.size() - 1)];
}

}   // namespace

void learn_rows(Layout layout, std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) {
    if (layout == Layout::magnitude) learn_magnitudes(symbols, width, counts);
    else learn_bins(symbols, width, counts);
}

Table table_of_counts(Layout layout, const Counts& counts, std::uint32_t width) {
    if (layout == Layout::ranges) return search_ranges(counts, width);
    if (counts.size() != table_rows) throw std::invalid_argument("table: one of magnitudes is made of 16 counts");
    return Table::magnitudes(width, normalise(std::span<const std::uint64_t, table_rows>(counts)));
}

}   // namespace oscar
