#include "models/network/topology/kinds/grid.hpp"

#include "models/network/topology/kinds/sizes.hpp"

namespace oscar {
namespace {

std::uint32_t largest_divisor_up_to_root(std::uint32_t n) {
    std::uint32_t best = 1;
    for (std::uint32_t d = 1; d * d <= n; ++d)
        if (n % d == 0) best = d;
    return best;
}

/// Cables `size` routers, the first of number `first` and the others `stride` apart.
void cable_line(Topology& topology, std::uint32_t first, std::uint32_t stride, std::uint32_t size,
                const LinkParams& link) {
    const auto router = [&](std::uint32_t i) { return topology.switch_node(first + i * stride); };
    for (std::uint32_t i = 0; i + 1 < size; ++i) topology.cable(router(i), router(i + 1), link);
    if (topology.grid->wraps && size >= 3) topology.cable(router(size - 1), router(0), {{}, {}, link, 1, true});
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
    const std::uint32_t routers = grid.rows * grid.columns;
    Topology topology{routers, routers};
    topology.grid = grid;
    for (std::uint32_t r = 0; r < routers; ++r) topology.cable(node_of(Rank{r}), topology.switch_node(r), link);
    for (std::uint32_t row = 0; row < grid.rows; ++row) cable_line(topology, row * grid.columns, 1, grid.columns, link);
    for (std::uint32_t column = 0; column < grid.columns; ++column)
        cable_line(topology, column, grid.columns, grid.rows, link);
    return topology;
}

}   // namespace oscar
