#include "models/network/grid/router_links.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

constexpr EdgeId no_link{~std::uint32_t{0}};

}   // namespace

RouterGridKind router_grid(const SwitchGrid& grid) {
    constexpr std::uint32_t most = get<0>(RouterMeshParams::fields()).max;
    if (std::max(grid.rows, grid.columns) > most)
        throw std::invalid_argument(std::to_string(grid.rows) + " rows and " + std::to_string(grid.columns) +
                                    " columns: input-queued routers stand in at most " + std::to_string(most) +
                                    " of each");
    if (grid.wraps) return RouterTorusParams{grid.rows, grid.columns};
    return RouterMeshParams{grid.rows, grid.columns};
}

RouterLinks::RouterLinks(const RouterGrid& grid, const IndexedVector<EdgeId, FabricLink>& links)
    : grid_(grid), links_(links), into_(grid.routers(), no_link), out_of_(grid.routers()) {
    const auto router_in = [nodes = grid.routers()](NodeId node) {
        return node.value < nodes ? std::nullopt : std::optional(RouterId{node.value - nodes});
    };
    for (auto& ports : out_of_) ports.fill(no_link);
    for (const EdgeId edge : links_.indices()) {
        const auto [from, to] = std::pair(router_in(links_[edge].from), router_in(links_[edge].to));
        const RouterId sender = router_at(links_[edge].from), receiver = router_at(links_[edge].to);   // of a node
        if (!from && to == sender) into_[*to] = edge;
        else if (!to && from == receiver) out_of_[*from][index_of(Port::node)] = edge;
        else if (from && to) out_of_[*from][index_of(port_to(*from, *to))] = edge;
        else
            throw std::invalid_argument("the link from node " + std::to_string(links_[edge].from.value) + " to node " +
                                        std::to_string(links_[edge].to.value) + " has no place in a grid of routers");
    }
}

/// Of both ports that lead to the same router, that which leads there without closing the line.
Port RouterLinks::port_to(RouterId router, RouterId neighbour) const {
    for (const auto& [forward, backward] : {std::pair{Port::east, Port::west}, {Port::north, Port::south}}) {
        const bool ahead = grid_.neighbour(router, forward) == neighbour;
        const bool behind = grid_.neighbour(router, backward) == neighbour;
        if (ahead && behind) return neighbour > router ? forward : backward;
        if (ahead || behind) return ahead ? forward : backward;
    }
    throw std::invalid_argument("routers " + std::to_string(router.value) + " and " + std::to_string(neighbour.value) +
                                " are no neighbours in the grid");
}

RouterLinks::Ends RouterLinks::ends_of(std::span<const Hop> path) const {
    return {links_[path.front().edge].from, links_[path.back().edge].to};
}

bool RouterLinks::leads_along(std::span<const Hop> path, std::uint8_t coins) const {
    const auto [from, to] = ends_of(path);
    const auto is_rank = [&](NodeId node) { return node.value < into_.size(); };
    if (!is_rank(from) || !is_rank(to)) return false;
    RouterId at = router_at(from);
    if (path.front().edge != into_[at]) return false;
    Port in = Port::node;
    for (const Hop& hop : path.subspan(1)) {
        const Port out = grid_.route(at, to, in, 0, coins).port;
        if (out_of(at, out) != hop.edge) return false;
        if (out == Port::node) return &hop == &path.back();
        at = *grid_.neighbour(at, out);
        in = opposite(out);
    }
    return false;
}

std::optional<std::uint8_t> RouterLinks::coins_for(std::span<const Hop> path) const {
    for (std::uint8_t coins = 0; coins < 4; ++coins)
        if (leads_along(path, coins)) return coins;
    return std::nullopt;
}

}   // namespace oscar
