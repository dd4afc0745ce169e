// Destinations of the packets of a traffic pattern on a grid of routers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/network/grid/grid.hpp"
#include "models/network/traffic/patterns.hpp"

namespace oscar {

/// The reason why the pattern is not defined on the grid; nothing if it is.
std::optional<std::string> find_pattern_problem(const TrafficPattern& pattern, const RouterGrid& grid);

/// Draws destinations. Precondition: the pattern is defined on the grid.
class Destinations {
public:
    Destinations(const TrafficPattern& pattern, const RouterGrid& grid);

    /// The destination of a packet from `source` with 64 random bits: a fixed node, or one drawn from them.
    NodeId of(NodeId source, std::uint64_t random) const;
    /// Probability that a packet from `source` goes to `to`.
    double probability(NodeId source, NodeId to) const;

private:
    std::uint32_t nodes_;
    IndexedVector<NodeId, NodeId> fixed_;   // per source; empty: drawn
    NodeId hot_;
    std::uint64_t hot_below_ = 0;   // of 2^32 draws, those that go to the hot node
};

/// Routers that a packet passes, both ends' included, mean over sources and destinations.
double mean_routers(const Destinations& destinations, const RouterGrid& grid);

}   // namespace oscar
