// A 2-D torus: a mesh whose rows and columns close to rings.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

struct TorusParams {
    std::uint32_t rows = 0, columns = 0;
    static constexpr auto fields() {
        return std::tuple{
            field("rows", &TorusParams::rows, "of routers; 0: what `ranks` and columns leave", 0u, 4096u),
            field("columns", &TorusParams::columns, "of routers; 0: what `ranks` and rows leave", 0u, 4096u),
        };
    }
};

Topology make_topology(const TorusParams& params, std::uint32_t ranks, const LinkParams& link);

}   // namespace oscar
