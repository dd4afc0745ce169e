#include "models/collective/algorithms/collective_islands.hpp"

#include <concepts>

namespace oscar {
namespace {

struct FindIslands {
    std::uint32_t ranks, of_machine;
    std::optional<CollectiveIslands> operator()(const auto&) const { return std::nullopt; }
    std::optional<CollectiveIslands> operator()(const HierarchicalParams& params) const {
        return CollectiveIslands{island_of(params, ranks, of_machine), params.inside};
    }
    std::optional<CollectiveIslands> operator()(const ReduceScatterParams& params) const { return of_shards(params); }
    std::optional<CollectiveIslands> operator()(const AllGatherParams& params) const { return of_shards(params); }
    std::optional<CollectiveIslands> operator()(const NcclCollectiveParams& params) const {
        return std::visit(*this, performed(params));
    }
    std::optional<CollectiveIslands> operator()(const NvlsTreeParams& params) const {
        return CollectiveIslands{params.island, InsideIsland::island_switch};
    }
    std::optional<CollectiveIslands> operator()(const BroadcastFromRootParams& params) const {
        const auto placed = on_islands(params, ranks, of_machine);
        if (!is_hierarchical(placed)) return std::nullopt;
        return CollectiveIslands{placed.island, InsideIsland::ranks};
    }

private:
    std::optional<CollectiveIslands> of_shards(const auto& params) const {
        const auto placed = on_islands(params, ranks, of_machine);
        if (!is_hierarchical(placed)) return std::nullopt;
        return CollectiveIslands{placed.island, placed.inside};
    }
};

}   // namespace

std::optional<CollectiveIslands> islands_of(const Collective& collective, std::uint32_t ranks,
                                            std::uint32_t of_machine) {
    return std::visit(FindIslands{ranks, of_machine}, collective.params);
}

Collective placed_on_islands(const Collective& collective, std::uint32_t ranks, std::uint32_t of_machine) {
    return std::visit(
        [&]<class P>(const P& params) -> Collective {
            if constexpr (std::derived_from<P, ShardParams> || std::same_as<P, BroadcastFromRootParams>)
                return on_islands(params, ranks, of_machine);
            else return params;
        },
        collective.params);
}

const IslandParams* island_params_in(const Collective& collective) {
    return std::visit(
        []<class P>(const P& params) -> const IslandParams* {
            if constexpr (std::same_as<P, HierarchicalParams>) return &params;
            else if constexpr (std::derived_from<P, ShardParams>) return is_hierarchical(params) ? &params : nullptr;
            else return nullptr;
        },
        collective.params);
}

const ShardParams* shards_in(const Collective& collective) {
    return std::visit(
        []<class P>(const P& params) -> const ShardParams* {
            if constexpr (std::derived_from<P, ShardParams>) return &params;
            else return nullptr;
        },
        collective.params);
}

}   // namespace oscar
