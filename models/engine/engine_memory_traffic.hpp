// Memory of the engine: the classes of values and the tables of a timestep, which the engine reads from GPU memory
// where its SRAM does not hold them, and the tables that its lanes change.
#pragma once

#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/endpoint/rank_state.hpp"
#include "models/engine/engine_params.hpp"

namespace oscar {

/// A table that both ends keep for symbols of up to `width` bits, and the counters that it is made of: 16 cumulative
/// counts of 10 bits, and a counter of 24 bits for each bin that the codec learns by. If bins are finer than the 16
/// rows, ranges are searched; the table then also stores per row its lowest pattern (`width` bits) and a 4-bit length.
Bytes table_memory(const Codec& codec, std::uint32_t width);

/// The traffic of one AllReduce. A size of 0 is not read: there is nothing to read, or it stays in SRAM.
struct EngineMemoryTraffic {
    std::uint32_t mask_bits = 0;                     ///< of a class; 0: none are read
    std::uint32_t values_per_class = 1;              ///< neighbours that share one
    std::vector<std::vector<Bytes>> tables;          ///< [rank][timestep]: those used there and not before; or empty
    bool prefetch = true;                            ///< a timestep's tables are read during the one before
    Bytes table_memory_needed, mask_memory_needed;   ///< SRAM needed so that nothing is read
    std::uint64_t tables_kept = 0;                   ///< of the rank that keeps most

    /// The size of the classes of `values` values, rounded up to a byte; 0 if none are read.
    Bytes mask_of(std::uint64_t values) const {
        return {((values + values_per_class - 1) / values_per_class * mask_bits + 7) / 8};
    }
    /// The size of the tables that a rank reads for a timestep; 0 if none are read.
    Bytes tables_of(Rank rank, Timestep timestep) const {
        return tables.empty() ? Bytes{} : tables[rank.value][timestep.value];
    }
};

/// The classes of values that both ends know.
struct ValueClasses {
    std::uint32_t count = 1;        ///< 1: there are none
    std::uint32_t neighbours = 1;   ///< that share a class; 0: their position tells it, nothing is read
};

/// `classes`: of the `elements` values. A rank holds, for each link and timestep of the reduce-scatter that it sends or
/// receives on, and for the final sums, a table of all symbols and, with classes, one for each. Half of the SRAM is for
/// the timestep that runs, half for the next.
EngineMemoryTraffic engine_reads(const EngineParams& engine, const Plan& plan, const Codec& codec, ValueClasses classes,
                                 std::uint64_t elements);

/// The memory of one array of lanes, an encoder or a decoder, beside the tables that both ends keep from iteration to
/// iteration, while it codes a block whose symbols are in `classes` classes. Sub-streams count as lanes. For each
/// class:
///
/// update by symbol: in each lane 15 bounds (the first is 0) of 16 bits at each speed, and how many values it has
/// seen, up to the window;
/// update by block: the table in use and the next, 16 counts of 10 bits each; 16 counters of all lanes' windows, and 16
/// of all lanes' intervals;
/// inline tables: the table of the message in hand, 16 counts of 10 bits.
///
/// 0 for all others: lanes then read what both ends keep, or need no table.
Bytes lane_tables(const CodecChoice& codec, const Framing& framing, std::uint32_t classes);

}   // namespace oscar
