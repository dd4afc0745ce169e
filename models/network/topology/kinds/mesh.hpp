// A 2-D mesh: every rank has a router, cabled to those beside, above and below it.
#pragma once

#include "models/network/topology/kinds/grid.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct MeshParams {
    std::uint32_t rows = 0, columns = 0;
    static constexpr auto fields() {
        return Entries{
            field("rows", &MeshParams::rows, "rows of routers; 0: derived from `ranks` and columns", 0u, 4096u),
            field("columns", &MeshParams::columns, "columns of routers; 0: derived from `ranks` and rows", 0u, 4096u),
        };
    }
};

/// The grid of make_grid(), whose lines stay open; throws as grid_of() does.
inline Topology make_topology(const MeshParams& params, std::uint32_t ranks, const LinkParams& link) {
    return make_grid(grid_of(params.rows, params.columns, ranks, false), link);
}

}   // namespace oscar
