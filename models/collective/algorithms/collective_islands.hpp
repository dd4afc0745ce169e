// The islands and groups of a collective, whatever its kind.
#pragma once

#include <cstdint>
#include <optional>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar {

/// The islands that a collective is made in.
struct CollectiveIslands {
    std::uint32_t ranks;   ///< of each
    InsideIsland inside;
    /// True if their switches take part.
    bool by_switches() const { return inside == InsideIsland::island_switch && ranks > 1; }
};
/// None where it is made without islands. `of_machine`: as `island` of make_schedule(), whose exceptions it throws.
std::optional<CollectiveIslands> islands_of(const Collective& collective, std::uint32_t ranks,
                                            std::uint32_t of_machine);
/// The island parameters of a collective whose shape says that it is made in islands; null for all others.
const IslandParams* island_params_in(const Collective& collective);
/// The same collective; a reduce-scatter, all-gather or broadcast with the shape and the island that it has on this
/// machine.
Collective placed_on_islands(const Collective& collective, std::uint32_t ranks, std::uint32_t of_machine);
/// What a reduce-scatter or an all-gather shares the bucket by; null for all other collectives.
const ShardParams* shards_in(const Collective& collective);

}   // namespace oscar
