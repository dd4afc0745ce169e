// Optimal 16 ranges for a histogram, by exact integer dynamic programming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/table/table.hpp"

namespace oscar {

/// Cost in 1/256 bit of a range that holds `count` of `total` symbols and `size` patterns:
/// count * (offset length + cost of the row under 1 + floor(count * 1008 / total) of 1024).
std::uint64_t range_cost(std::uint64_t count, std::uint64_t total, std::uint64_t size);

/// The first bin of each of `rows` ranges that tile the bins at the least sum of range_cost. counts[b] symbols fell
/// into bin b, which is the patterns edges[b] .. edges[b+1]-1. Ties: first the least offset bits over bins that were
/// never hit (each hit once), so that a region not seen yet is cut evenly on the scale of the bins, rather than left to
/// one range with a long offset; then the earliest boundaries. Precondition: edges.size() == counts.size() + 1, 1 <=
/// rows <= counts.size(), counts not all zero.
std::vector<std::size_t> best_partition(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> edges,
                                        std::size_t rows);

/// best_partition, or heuristic_partition.
using PartitionSearch = std::vector<std::size_t>(std::span<const std::uint64_t>, std::span<const std::uint64_t>,
                                                 std::size_t);

/// The table of layout ranges for a histogram over Binning(width). Precondition: counts not all zero.
Table search_ranges(const Counts& counts, std::uint32_t width, PartitionSearch& search = best_partition);

}   // namespace oscar
