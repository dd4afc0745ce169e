// Grid of routers in rows and columns, shared by mesh and torus.
#pragma once

#include "models/network/topology/topology.hpp"

namespace oscar {

/// Rows and columns for `ranks` routers; 0 stands for what the other one leaves, or both for as square as divisors
/// allow, with no more rows than columns. Throws std::invalid_argument unless their product is `ranks`.
SwitchGrid grid_of(std::uint32_t rows, std::uint32_t columns, std::uint32_t ranks, bool wraps);

/// The lattice of these two dimensions: cables of rank and router first, then along rows, then along columns. The link
/// that closes a line of three or more to a ring is a dateline.
Topology make_grid(const SwitchGrid& grid, const LinkParams& link);

}   // namespace oscar
