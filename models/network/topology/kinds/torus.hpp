// A 2-D torus: a mesh whose rows and columns close to rings.
#pragma once

#include "models/network/topology/kinds/grid.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

struct TorusParams {
    std::uint32_t rows = 0, columns = 0;
    static constexpr auto fields() {
        return Entries{
            field("rows", &TorusParams::rows, "rows of routers; 0: derived from `ranks` and columns", 0u, 4096u),
            field("columns", &TorusParams::columns, "columns of routers; 0: derived from `ranks` and rows", 0u, 4096u),
        };
    }
};

/// The grid of make_grid() with closed lines; a line of two is cabled once. Throws as grid_of() does.
inline Topology make_topology(const TorusParams& params, std::uint32_t ranks, const LinkParams& link) {
    return make_grid(grid_of(params.rows, params.columns, ranks, true), link);
}

}   // namespace oscar
