// Family of routing algorithms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "models/core/kinds.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct DefaultRoutingParams {
    static constexpr auto fields() { return Entries{}; }
};
struct ShortestParams {
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{field("seed", &ShortestParams::seed, "seed of the hash that chooses among equally short paths")};
    }
};
struct SprayParams {
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{field("seed", &SprayParams::seed, "seed of the hash that chooses among equally short paths")};
    }
};
struct DimensionOrderParams {
    static constexpr auto fields() { return Entries{}; }
};

inline constexpr auto routings = Entries{
    kind<DefaultRoutingParams>(
        "default", "dimension_order in mesh, torus and a graph whose datelines close its lines, else shortest"),
    kind<ShortestParams>("shortest", "a cheapest path; ECMP: the same one for all packets of a flow"),
    kind<SprayParams>("spray", "a cheapest path chosen for each packet; receivers reorder"),
    kind<DimensionOrderParams>(
        "dimension_order",
        "mesh and torus: along the row, then along the column; a graph of that form: one dimension after another"),
};
using RoutingParams = OneOf<routings>;

/// True if dimension_order applies: to a grid, or to links that have dimensions.
inline bool has_dimensions(const Topology& topology) {
    return topology.grid || std::ranges::any_of(topology.edges, [](const Topology::Edge& edge) {
               return edge.dimension != Topology::none;
           });
}

/// The routing, with `default` replaced by the algorithm that it stands for. Throws std::invalid_argument for dimension
/// order where there are no dimensions.
inline RoutingParams resolve(const RoutingParams& routing, const Topology& topology) {
    if (std::holds_alternative<DimensionOrderParams>(routing.params) && !has_dimensions(topology))
        throw std::invalid_argument(
            "dimension_order is for mesh, torus and a graph whose datelines close its lines; choose shortest or spray");
    if (!std::holds_alternative<DefaultRoutingParams>(routing.params)) return routing;
    if (has_dimensions(topology)) return DimensionOrderParams{};
    return ShortestParams{};
}

}   // namespace oscar
