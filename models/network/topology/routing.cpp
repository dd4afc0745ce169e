#include "models/network/topology/routing.hpp"

#include <algorithm>
#include <stdexcept>

namespace oscar {

bool has_dimensions(const Topology& topology) {
    return topology.grid || std::ranges::any_of(topology.edges, [](const Topology::Edge& edge) {
               return edge.dimension != Topology::none;
           });
}

RoutingParams resolve(const RoutingParams& routing, const Topology& topology) {
    if (std::holds_alternative<DimensionOrderParams>(routing.params) && !has_dimensions(topology))
        throw std::invalid_argument(
            "dimension_order is for mesh, torus and a graph whose datelines close its lines; choose shortest or spray");
    if (!std::holds_alternative<DefaultRoutingParams>(routing.params)) return routing;
    if (has_dimensions(topology)) return DimensionOrderParams{};
    return ShortestParams{};
}

}   // namespace oscar
