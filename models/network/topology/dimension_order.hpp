// Dimension order: the route through a grid along the row, then along the column.
// Source: Dally & Towles, Principles and Practices of Interconnection Networks, sections 8.4.2 and 14.2.3 (datelines).
#pragma once

#include <vector>

#include "models/core/index.hpp"
#include "models/network/topology/adjacency.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// The hops between two ranks of a mesh or torus; channel 0 or, after the dateline of a row or column until its end,
/// 1. A torus takes the shorter direction. Of two equal ones it takes the rising one where the place on the line at
/// which the path begins and the number of a partner have an even sum. The partner is the sum of the places of `from`
/// on the lines along the dimensions before, and of those of `to` along the dimensions after: along a row the row of
/// `to`, along a column the column of `from`. All paths of a line with one beginning have each partner equally often
/// under uniform traffic, so that as many rise from there as fall where another dimension is even; a line of 4, 8, 12,
/// ... loads its links alike in any case. Precondition: topology.grid; Routes does the same for other edges that have
/// dimensions.
std::vector<Hop> dimension_order(const Topology& topology, const Adjacency& adjacency, Rank from, Rank to);

}   // namespace oscar
