// Family of routing algorithms.
#pragma once

#include <cstdint>

#include "models/core/kinds.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct DefaultRoutingParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct ShortestParams {
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return std::tuple{field("seed", &ShortestParams::seed, "of the hash that chooses among equally short ways")};
    }
};
struct SprayParams {
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return std::tuple{field("seed", &SprayParams::seed, "of the hash that chooses among equally short ways")};
    }
};
struct DimensionOrderParams {
    static constexpr auto fields() { return std::tuple{}; }
};

inline constexpr auto routings = std::tuple{
    kind<DefaultRoutingParams>(
        "default", "dimension_order in mesh, torus and a graph whose datelines close its lines, else shortest"),
    kind<ShortestParams>("shortest", "a cheapest way; ECMP: all packets of a flow take the same"),
    kind<SprayParams>("spray", "a cheapest way, for each packet another; receivers put them in order"),
    kind<DimensionOrderParams>(
        "dimension_order",
        "mesh and torus: along the row, then along the column; such a graph: one dimension after another"),
};
using RoutingParams = OneOf<routings>;

/// What `default` stands for. Throws std::invalid_argument for dimension order where there are no dimensions.
RoutingParams resolve(const RoutingParams& routing, const Topology& topology);

}   // namespace oscar
