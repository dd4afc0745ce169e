#include "models/network/topology/kinds/mesh.hpp"

#include "models/network/topology/kinds/grid.hpp"

namespace oscar {

Topology make_topology(const MeshParams& params, std::uint32_t ranks, const LinkParams& link) {
    return make_grid(grid_of(params.rows, params.columns, ranks, false), link);
}

}   // namespace oscar
