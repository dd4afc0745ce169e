// Learning: symbols to counts to a table, in either layout.
#pragma once

#include <cstdint>
#include <span>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Adds symbols legal for `width` to `counts`: per row in layout magnitude, per bin of Binning(width) in layout ranges.
void learn_rows(Layout layout, std::span<const Symbol> symbols, std::uint32_t width, Counts& counts);

/// The table of counts so learnt: in layout ranges the best partition of the bins, see table_search.hpp.
/// Throws invalid_argument unless the counts were learnt at this layout and width. Precondition: not all are zero.
Table table_of_counts(Layout layout, const Counts& counts, std::uint32_t width);

}   // namespace oscar
