// Lines of switches in a graph, which datelines close, and the dimension of each line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/network/topology/topology.hpp"

namespace oscar {

/// Of each edge of a topology; Topology::none for links from and to ranks.
struct Lines {
    struct Ends {
        std::uint32_t from, to;   ///< places
    };
    IndexedVector<EdgeId, std::uint32_t> line, dimension;
    /// Of the direction of each cable that leads to the next place of its line, from 0 behind the dateline on, or over
    /// the dateline to 0; of others nothing.
    IndexedVector<EdgeId, std::optional<Ends>> rising;
    IndexedVector<EdgeId, std::optional<EdgeId>> back;   ///< the other direction of a cable between switches
};

/// The lines of a torus of any number of dimensions, whatever the numbers of its switches are. A cable that is a
/// dateline closes the line that the only shortest path between its ends makes, over cables that are none. A cable on
/// no such path is a line of its own. Lines that the opposite sides of a square belong to run along the same dimension;
/// dimensions are numbered in the order of their first edges.
/// Nothing if there are no datelines or the graph is no such torus: some path is not the only one, a cable is on two
/// lines, two lines of one dimension meet, or a link between switches has no link back.
std::optional<Lines> find_lines(const Topology& topology);

}   // namespace oscar
