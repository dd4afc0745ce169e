#include "models/collective/schedule/shards.hpp"

#include <stdexcept>
#include <string>

namespace oscar {

std::uint32_t group_of(const ShardParams& params, std::uint32_t ranks) {
    if (params.group == 0) return ranks;
    if (ranks % params.group != 0)
        throw std::invalid_argument("group: " + std::to_string(params.group) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor, or 0");
    return params.group;
}

bool goes_by_islands(const ShardParams& params, std::uint32_t ranks, std::uint32_t of_machine) {
    if (params.island != 0 || params.inside != InsideIsland::ranks) return true;
    return of_machine > 1 && ranks > of_machine && island_of(params, group_of(params, ranks), of_machine) > 1;
}

std::uint32_t island_in_group(const ShardParams& params, std::uint32_t ranks, std::uint32_t of_machine,
                              bool by_islands) {
    const std::uint32_t group = group_of(params, ranks);
    return by_islands ? island_of(params, group, of_machine) : 1;
}

IslandGrid grid_of(const ShardParams& params, std::uint32_t ranks, bool by_islands) {
    const std::uint32_t island = island_in_group(params, ranks, 1, by_islands), group = group_of(params, ranks);
    return {island, group / island, ranks / group};
}

std::uint32_t switches_in(const ShardParams& params, const IslandGrid& grid) {
    return params.inside == InsideIsland::island_switch && grid.island > 1 ? grid.ranks() / grid.island : 0;
}

}   // namespace oscar
