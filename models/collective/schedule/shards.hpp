// Shards of a bucket: the parameters that reduce-scatter and all-gather share, and the islands that they are made in.
#pragma once

#include <cstdint>

#include "models/collective/schedule/island_phases.hpp"
#include "models/collective/schedule/islands.hpp"
#include "models/collective/schedule/params.hpp"

namespace oscar {

struct ShardParams : ChannelledParams, IslandParams {
    std::uint32_t group = 0;
    template <class P>
    static constexpr auto shard_fields_of() {
        return concatenate(
            ChannelledParams::fields_of<P>(), IslandParams::island_fields_of<P>(),
            Entries{field("group", &P::group,
                          "neighbouring ranks (a divisor of `ranks`) that share the bucket, each group the whole: a "
                          "shard is reduced in its group and then over all groups, and gathered in its group alone "
                          "(HSDP); 0: all ranks are one group",
                          0u, 65536u)});
    }
};

/// The ranks of a group. std::invalid_argument: params.group does not divide the ranks.
std::uint32_t group_of(const ShardParams& params, std::uint32_t ranks);

/// True if a schedule that may choose goes by islands: where an island or its switches are named, or the ranks are on
/// several islands of the machine, of which a group has more than a rank.
bool goes_by_islands(const ShardParams& params, std::uint32_t ranks, std::uint32_t of_machine);

/// The ranks of an island within a group: those of island_of(), for `by_islands`, or 1, for a ring.
std::uint32_t island_in_group(const ShardParams& params, std::uint32_t ranks, std::uint32_t of_machine,
                              bool by_islands);

/// The ranks by island, group and place. Precondition: params.island is named where it goes by islands.
IslandGrid grid_of(const ShardParams& params, std::uint32_t ranks, bool by_islands);

/// The switches that take part: one of each island, or none.
std::uint32_t switches_in(const ShardParams& params, const IslandGrid& grid);

}   // namespace oscar
