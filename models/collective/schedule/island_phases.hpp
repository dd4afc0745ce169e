// Phases of collectives in islands: exchange inside an island, and rings across islands and across groups of them.
#pragma once

#include <cstdint>

#include "models/collective/schedule/phases.hpp"

namespace oscar {

/// Rank (q islands + p) island + i is number i of island p in group q.
struct IslandGrid {
    std::uint32_t island = 1, islands = 1, groups = 1;
    std::uint32_t of_a_group() const { return island * islands; }
    std::uint32_t ranks() const { return of_a_group() * groups; }
};

/// The numbers of a slice's chunks. Part i of an island, which its number i adds up, has `copies` chunks for each
/// island p of a group: i part + p of_island, and further ones `of_copy` apart.
struct IslandChunks {
    std::uint32_t part, of_island, copies = 1, of_copy = 0;
    std::uint32_t shift = 0;   ///< island p ends a reduction with, or begins a gather with, the chunks of p + shift

    /// An AllReduce's: the chunks of a part are neighbours.
    static IslandChunks of_parts(const IslandGrid& grid) { return {grid.islands, 1, 1, 0, 1}; }
    /// Chunk c belongs to rank c of each group, and to it chunks of_a_group() apart, too.
    static IslandChunks of_owners(const IslandGrid& grid, std::uint32_t copies) {
        return {1, grid.island, copies, grid.of_a_group()};
    }
};

/// Adds phases to a schedule, each in timesteps of its own, for all slices together.
class IslandPhases {
public:
    IslandPhases(ScheduleBuilder builder, const IslandGrid& grid, const IslandChunks& chunks, std::uint32_t slices);

    /// Part i of each island is summed up at its number i, in the order in which a ring then sends the chunks. By
    /// switches a rank sends the parts of others to its island's, aggregator number ranks + island, gets the sum of
    /// theirs of its own part, and adds its own. Nothing where an island is one rank.
    void reduce_inside(bool by_switches);
    /// Part i is copied from number i to all of its island, in the order in which a ring has brought the chunks. By
    /// switches it goes to the switch, and from there to all, the sender among them.
    void gather_inside(bool by_switches);
    /// A ring of each part among the ranks that hold it, one of each island of a group.
    void ring_in_groups(Op op);
    /// A ring AllReduce of each rank's chunks among the ranks of that number in all groups.
    void all_reduce_across_groups();

    Schedule finish() && { return std::move(builder_).finish(); }

private:
    std::uint32_t of_a_slice() const { return grid_.ranks() / grid_.groups * chunks_.copies; }
    std::uint32_t of_a_part() const { return grid_.islands * chunks_.copies; }
    Rank switch_of(std::uint32_t island) const { return Rank{grid_.ranks() + island}; }
    std::uint32_t first_in(std::uint32_t island, std::uint32_t shift) const;
    void inside(auto exchange, std::uint32_t shift);
    void in_switches(std::uint32_t shift, auto f);
    void for_each_member(std::uint32_t island, auto f) const;
    void add_in_switches();
    void copy_in_switches();

    ScheduleBuilder builder_;
    IslandGrid grid_;
    IslandChunks chunks_;
    std::uint32_t slices_, timestep_ = 0;
};

}   // namespace oscar
