// Dimension order: the route through a grid along the row, then along the column.
// Source: Dally & Towles, Principles and Practices of Interconnection Networks, sections 8.4.2 and 14.2.3 (datelines).
#pragma once

#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/adjacency.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// The hops between two ranks of a mesh or torus; channel 0 or, after the dateline of a row or column until its end,
/// 1. A torus takes the shorter direction. Of two equal ones it takes the rising one where the number in the line at
/// which the path begins and the number of a partner (along a row the row of `to`, along a column the column of `from`)
/// have an even sum: uniform traffic then loads all links alike. Precondition: topology.grid; Routes does the same for
/// graphs whose edges have dimensions.
std::vector<Hop> dimension_order(const Topology& topology, const Adjacency& adjacency, Rank from, Rank to);

}   // namespace oscar
