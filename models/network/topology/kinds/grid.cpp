#include "models/network/topology/kinds/grid.hpp"

#include "models/network/topology/kinds/lattice.hpp"
#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

std::uint32_t largest_divisor_up_to_root(std::uint32_t n) {
    std::uint32_t best = 1;
    for (std::uint32_t d = 1; d * d <= n; ++d)
        if (n % d == 0) best = d;
    return best;
}

}   // namespace

SwitchGrid grid_of(std::uint32_t rows, std::uint32_t columns, std::uint32_t ranks, bool wraps) {
    if (rows == 0) rows = columns == 0 ? largest_divisor_up_to_root(ranks) : ranks / columns;
    if (columns == 0) columns = ranks / rows;
    if (std::uint64_t{rows} * columns != ranks)
        refuse_size(std::uint64_t{rows} * columns, ranks,
                    "choose rows and columns whose product is the number of ranks, or leave them at 0");
    return {rows, columns, wraps};
}

Topology make_grid(const SwitchGrid& grid, const LinkParams& link) {
    Topology topology = make_lattice({{grid.rows, grid.columns}}, grid.rows * grid.columns, grid.wraps, link);
    topology.grid = grid;
    return topology;
}

}   // namespace oscar
