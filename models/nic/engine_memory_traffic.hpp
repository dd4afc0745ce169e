// Engine memory traffic: the classes of values and the tables of a timestep, which the engine reads from GPU memory
// where its SRAM does not hold them.
#pragma once

#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/engine/engine_params.hpp"

namespace oscar::inline nic {

/// Table and counters of a key and class: 16 cumulative counts of 10 bits and 16 counters of 24.
inline constexpr Bytes table_memory{(16 * 10 + 16 * 24) / 8};

/// The traffic of one AllReduce. A size of 0 is not read: there is nothing to read, or it stays in SRAM.
struct EngineMemoryTraffic {
    std::uint32_t mask_bits = 0;                     ///< of a class; 0: none are read
    std::uint32_t values_per_class = 1;              ///< neighbours that share one
    std::vector<std::vector<Bytes>> tables;          ///< [rank][timestep]: those used there and not before; or empty
    bool prefetch = true;                            ///< a timestep's tables are read during the one before
    Bytes table_memory_needed, mask_memory_needed;   ///< for none of that to be read

    Bytes mask_of(std::uint64_t values) const {
        return {((values + values_per_class - 1) / values_per_class * mask_bits + 7) / 8};
    }
    Bytes tables_of(Rank rank, Timestep timestep) const {
        return tables.empty() ? Bytes{} : tables[rank.value][timestep.value];
    }
};

/// The classes of values that both ends know.
struct KnownClasses {
    std::uint32_t count = 1;        ///< 1: there are none
    std::uint32_t neighbours = 1;   ///< that share a class; 0: their position tells it, nothing is read
};

/// `classes`: of the `elements` values. A rank holds, for each link and
/// timestep of the reduce-scatter that it sends or receives on, and for the final sums, a table of all symbols and,
/// with classes, one for each. Half of the SRAM is for the timestep that runs, half for the next.
EngineMemoryTraffic make_side_reads(const EngineParams& engine, const Plan& plan, const Codec& codec,
                                    KnownClasses classes, std::uint64_t elements);

}   // namespace oscar::inline nic
