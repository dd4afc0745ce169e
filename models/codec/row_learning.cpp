#include "models/codec/row_learning.hpp"

#include <stdexcept>

#include "models/codec/avx512.hpp"
#include "models/codec/binning.hpp"
#include "models/codec/magnitude_counts.hpp"
#include "models/codec/table_search.hpp"

namespace oscar {

namespace {

void learn_magnitudes(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) {
    const Table rows = Table::magnitudes(width, {});
    counts.resize(table_rows);
    const bool vectors = avx512::available() && width < table_rows;
    const std::size_t begin = vectors ? symbols.size() / avx512::counted_at_once * avx512::counted_at_once : 0;
    if (begin > 0) avx512::count_magnitudes(symbols.data(), begin, counts.data());
    for (const Symbol symbol : symbols.subspan(begin)) ++counts[rows.locate(symbol).row];
}

void learn_bins(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) {
    const Binning binning(width);
    counts.resize(binning.bins());
    for (const Symbol symbol : symbols) ++counts[binning.bin(symbol)];
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
