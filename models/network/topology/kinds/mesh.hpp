// A mesh: every rank has a router, cabled to its neighbours in two dimensions or any number of them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/topology/kinds/grid.hpp"
#include "models/network/topology/kinds/lattice.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct MeshParams {
    std::uint32_t rows = 0, columns = 0;
    std::vector<std::uint32_t> dimensions = {};
    Placement placement = Placement::row_major;
    std::vector<std::uint32_t> routers = {};
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("rows", &MeshParams::rows, "rows of routers; 0: derived from `ranks` and columns", 0u, 4096u),
                field("columns", &MeshParams::columns, "columns of routers; 0: derived from `ranks` and rows", 0u,
                      4096u),
            },
            lattice_fields<MeshParams>());
    }
};

/// The grid of make_grid(), whose lines stay open, or a lattice; throws as grid_of() and make_lattice() do.
inline Topology make_topology(const MeshParams& params, std::uint32_t ranks, const LinkParams& link) {
    if (is_lattice(params)) return make_lattice(lattice_of(params, ranks), ranks, false, link);
    return make_grid(grid_of(params.rows, params.columns, ranks, false), link);
}

}   // namespace oscar
