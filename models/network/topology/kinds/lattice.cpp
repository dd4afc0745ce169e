#include "models/network/topology/kinds/lattice.hpp"

#include <stdexcept>
#include <string>

#include "models/network/topology/kinds/mesh.hpp"
#include "models/network/topology/kinds/torus.hpp"

namespace oscar {
namespace {

/// The router at place `number` of a snake: where the sum of the coordinates before is odd, a line runs backwards.
std::uint32_t snake(const std::vector<std::uint32_t>& dimensions, std::uint32_t number) {
    std::uint32_t behind = 1, router = 0, sum = 0;   // routers of what a coordinate chooses among
    for (const std::uint32_t size : dimensions) behind *= size;
    for (const std::uint32_t size : dimensions) {
        behind /= size;
        const std::uint32_t place = number / behind % size, coordinate = sum % 2 == 0 ? place : size - 1 - place;
        router += coordinate * behind;
        sum += coordinate;
    }
    return router;
}

/// Cables along one dimension, whose routers are `stride` apart.
void cable_dimension(Topology& topology, std::uint32_t size, std::uint32_t stride, std::uint32_t dimension, bool wraps,
                     std::uint32_t& lines, const LinkParams& link) {
    for (std::uint32_t first = 0; first < topology.switches; ++first) {
        if (first / stride % size != 0) continue;
        const auto cable = [&](std::uint32_t i, std::uint32_t j, bool dateline) {
            topology.cable(topology.switch_node(first + i * stride), topology.switch_node(first + j * stride),
                           {{}, {}, link, 1, dateline, lines, dimension});
            const auto falling = static_cast<std::uint32_t>(topology.edges.size() - 1);
            topology.place(EdgeId{falling - 1}, EdgeId{falling}, i, j);
        };
        for (std::uint32_t i = 0; i + 1 < size; ++i) cable(i, i + 1, false);
        if (wraps && size >= 3) cable(size - 1, 0, true);
        ++lines;
    }
}

}   // namespace

template <class P>
Lattice lattice_of(const P& params, std::uint32_t ranks) {
    Lattice lattice{params.dimensions, params.placement, params.routers};
    if (!lattice.dimensions.empty()) {
        if (params.rows != 0 || params.columns != 0)
            throw std::invalid_argument("rows and columns are dimensions, too; leave them out, or dimensions");
        return lattice;
    }
    const SwitchGrid grid = grid_of(params.rows, params.columns, ranks, false);
    lattice.dimensions = {grid.rows, grid.columns};
    return lattice;
}
template Lattice lattice_of(const MeshParams&, std::uint32_t);
template Lattice lattice_of(const TorusParams&, std::uint32_t);

std::vector<std::uint32_t> routers_of(const Lattice& lattice) {
    std::uint32_t count = 1;
    for (const std::uint32_t size : lattice.dimensions) count *= size;
    std::vector<std::uint32_t> routers = lattice.routers;
    for (std::uint32_t r = 0; routers.size() < count && lattice.routers.empty(); ++r)
        routers.push_back(lattice.placement == Placement::snake ? snake(lattice.dimensions, r) : r);
    std::vector<bool> taken(count);
    for (const std::uint32_t router : routers) {
        if (router >= count || taken[router])
            throw std::invalid_argument("routers: " + std::to_string(router) +
                                        (router >= count ? " is no router" : " stands there twice") +
                                        "; name each of 0 to " + std::to_string(count - 1) + " once");
        taken[router] = true;
    }
    if (routers.size() != count)
        throw std::invalid_argument("routers: there are " + std::to_string(routers.size()) + ", and " +
                                    std::to_string(count) + " ranks; name one for each");
    return routers;
}

Topology make_lattice(const Lattice& lattice, std::uint32_t ranks, bool wraps, const LinkParams& link) {
    std::uint64_t routers = 1;
    for (const std::uint32_t size : lattice.dimensions) routers *= size;
    if (routers != ranks)
        throw std::invalid_argument("dimensions: their product is " + std::to_string(routers) + ", and there are " +
                                    std::to_string(ranks) + " ranks; choose sizes whose product is that");
    Topology topology{ranks, ranks};
    const std::vector<std::uint32_t> router_of = routers_of(lattice);
    for (std::uint32_t r = 0; r < ranks; ++r)
        topology.cable(node_of(Rank{r}), topology.switch_node(router_of[r]), link);
    std::uint32_t lines = 0, stride = 1;
    for (std::size_t d = lattice.dimensions.size(); d-- > 0; stride *= lattice.dimensions[d])
        cable_dimension(topology, lattice.dimensions[d], stride,
                        static_cast<std::uint32_t>(lattice.dimensions.size() - 1 - d), wraps, lines, link);
    return topology;
}

}   // namespace oscar
