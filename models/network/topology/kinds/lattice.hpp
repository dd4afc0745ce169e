// Routers in any number of dimensions, with the ranks in any order: what mesh and torus are beside a plain grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/fields.hpp"
#include "models/network/topology/topology.hpp"

namespace oscar {

/// The order in which ranks take the routers of a lattice.
enum class Placement : std::uint8_t { row_major, snake };
constexpr auto choices(Placement) {
    return std::array{
        Choice{"row_major", Placement::row_major, "rank r at router r: the last dimension runs fastest"},
        Choice{"snake", Placement::snake,
               "each line in the direction opposite to the one before, so that neighbouring ranks are neighbours"}};
}

/// Sizes of a lattice, and where its ranks are.
struct Lattice {
    std::vector<std::uint32_t> dimensions;   ///< the last runs fastest in a router's number
    Placement placement = Placement::row_major;
    std::vector<std::uint32_t> routers = {};   ///< [rank]; none: as `placement` says
};

/// The fields of a kind `P` that may be a lattice.
template <class P>
constexpr auto lattice_fields() {
    return Entries{
        field("dimensions", &P::dimensions,
              "sizes of any number of dimensions, like [4, 4, 4], in place of rows and columns; their product is "
              "`ranks`"),
        field("placement", &P::placement, "order in which ranks take the routers"),
        field("routers", &P::routers, "number of each rank's router, like [0, 1, 3, 2]; none: as placement says"),
    };
}

/// True if a kind asks for more than the grid of rows and columns in which rank r has router r.
template <class P>
bool is_lattice(const P& params) {
    return !params.dimensions.empty() || params.placement != Placement::row_major || !params.routers.empty();
}

/// The lattice of a kind; rows and columns are derived as grid_of() derives them. Throws std::invalid_argument as it
/// does, or if rows or columns stand beside dimensions.
template <class P>
Lattice lattice_of(const P& params, std::uint32_t ranks);

/// The router of each rank. Throws std::invalid_argument: the list is none of all routers, each once.
std::vector<std::uint32_t> routers_of(const Lattice& lattice);

/// A router for each rank: cables of ranks first, then the lines of each dimension, the last dimension first, which
/// routing takes first. `wraps`: the link that closes a line of three or more to a ring is a dateline. Throws
/// std::invalid_argument: the product of the dimensions is not `ranks`, or as routers_of().
Topology make_lattice(const Lattice& lattice, std::uint32_t ranks, bool wraps, const LinkParams& link);

}   // namespace oscar
