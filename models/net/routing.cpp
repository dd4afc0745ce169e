#include "models/net/routing.hpp"

#include <stdexcept>

namespace oscar {

RoutingParams resolve(const RoutingParams& routing, const Topology& topology) {
    if (std::holds_alternative<DimensionOrderParams>(routing.params) && !topology.grid)
        throw std::invalid_argument("dimension_order is for mesh and torus; choose shortest or spray");
    if (!std::holds_alternative<DefaultRoutingParams>(routing.params)) return routing;
    if (topology.grid) return DimensionOrderParams{};
    return ShortestParams{};
}

}   // namespace oscar
