#include "models/network/topology/kinds/torus.hpp"

#include "models/network/topology/kinds/grid.hpp"

namespace oscar {

Topology make_topology(const TorusParams& params, std::uint32_t ranks, const LinkParams& link) {
    return make_grid(grid_of(params.rows, params.columns, ranks, true), link);
}

}   // namespace oscar
