// Operation of a collective (AllReduce, all-gather, …), independent of its schedule.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/index.hpp"

namespace oscar {

enum class Operation : std::uint8_t {
    all_reduce,       ///< every rank ends with every chunk summed over all ranks
    reduce_scatter,   ///< rank r ends with the sum of chunk r
    all_gather,       ///< every rank ends with chunk r of rank r, for all r
    broadcast,        ///< every rank ends with what rank 0 had
    reduce,           ///< rank 0 ends with every chunk summed over all ranks
    gather,           ///< rank 0 ends with chunk r of rank r, for all r
    scatter,          ///< rank r ends with chunk r of rank 0
    all_to_all,       ///< the bucket is a matrix of ranks x ranks chunks; rank r ends with column r, row i from rank i
    transfers         ///< chunks go from rank to rank as a list says: find_transfer_problem() checks that
};

/// The operations that a configuration may name.
constexpr auto choices(Operation) {
    using O = Operation;
    return std::array{
        Choice{"all_reduce", O::all_reduce, "every rank ends with the sum of every chunk"},
        Choice{"reduce_scatter", O::reduce_scatter, "rank r ends with the sums of chunks r, ranks + r, ..."},
        Choice{"all_gather", O::all_gather, "every rank ends with chunks r, ranks + r, ... of rank r, for all r"},
        Choice{"broadcast", O::broadcast, "every rank ends with what rank 0 had"},
        Choice{"reduce", O::reduce, "rank 0 ends with the sum of every chunk"},
        Choice{"gather", O::gather, "rank 0 ends with chunks r, ranks + r, ... of rank r, for all r"},
        Choice{"scatter", O::scatter, "rank r ends with chunks r, ranks + r, ... of rank 0"},
        Choice{"all_to_all", O::all_to_all, "rank r ends with chunk s ranks + r of rank s, for all s"},
    };
}

/// The content that a rank must hold of a chunk in the end.
struct Postcondition {
    enum class Content : std::uint8_t { anything, sum, copy } content = Content::anything;
    Rank of{};   ///< copy: whose values
    friend bool operator==(const Postcondition&, const Postcondition&) = default;
};

/// The content that `rank` must hold of `chunk` in the end. Chunks are numbered slice by slice, and in each slice by
/// rank (all_to_all: row by row), so that the number of slices does not matter. `group`: the neighbouring ranks that a
/// reduce-scatter or an all-gather shares its chunks among, each such group the whole; 0: all ranks.
Postcondition postcondition(Operation operation, std::uint32_t ranks, Rank rank, ChunkId chunk,
                            std::uint32_t group = 0);

/// True if all ranks end with the same values everywhere, from which they can make the same tables and boundaries.
bool ends_alike(Operation operation);
/// True if the operation adds values of different ranks.
bool sums_up(Operation operation);

/// Bytes that the size of a collective counts, as a share of the bucket: all of it, but for all_to_all one row, which
/// is what a rank sends (its own block included).
double counted_share(Operation operation, std::uint32_t ranks);
/// Bus bandwidth / algorithm bandwidth: how often a link of each rank must carry the counted bytes at least: all_reduce
/// 2 (n-1)/n, or where switches add (n-1)/(n+1); reduce_scatter, all_gather, all_to_all, gather, scatter (n-1)/n;
/// broadcast and reduce 1. For a list of transfers 1: link loads are not considered.
/// Source: NCCL tests, doc/PERFORMANCE.md.
double bus_factor(Operation operation, std::uint32_t ranks, bool switches_add);

}   // namespace oscar
