// A torus: a mesh whose lines close to rings.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/topology/kinds/grid.hpp"
#include "models/network/topology/kinds/lattice.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct TorusParams {
    std::uint32_t rows = 0, columns = 0;
    std::vector<std::uint32_t> dimensions = {};
    Placement placement = Placement::row_major;
    std::vector<std::uint32_t> routers = {};
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("rows", &TorusParams::rows, "rows of routers; 0: derived from `ranks` and columns", 0u, 4096u),
                field("columns", &TorusParams::columns, "columns of routers; 0: derived from `ranks` and rows", 0u,
                      4096u),
            },
            lattice_fields<TorusParams>());
    }
};

/// The grid of make_grid() with closed lines, or a lattice; a line of two is cabled once. Throws as grid_of() and
/// make_lattice() do.
inline Topology make_topology(const TorusParams& params, std::uint32_t ranks, const LinkParams& link) {
    if (is_lattice(params)) return make_lattice(lattice_of(params, ranks), ranks, true, link);
    return make_grid(grid_of(params.rows, params.columns, ranks, true), link);
}

}   // namespace oscar
