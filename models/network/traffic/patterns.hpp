// Synthetic traffic patterns: the destination of each source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/core/kinds.hpp"
#include "models/network/router/grid.hpp"

namespace oscar {

// (x, y) is the source's place, n its number, N the number of nodes. Source: Dally & Towles 2004, table 3.1; tornado,
// shuffle, bit_reverse and neighbor as BookSim 2 has them (Jiang et al., ISPASS 2013).
struct UniformTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct TornadoTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct BitComplementTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct TransposeTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct BitReverseTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct ShuffleTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct NeighborTrafficParams {
    static constexpr auto fields() { return std::tuple{}; }
};
struct HotspotTrafficParams {
    std::uint32_t node = 0;
    double share = 0.1;
    static constexpr auto fields() {
        return std::tuple{field("node", &HotspotTrafficParams::node, "number of the hot node", 0u, 4095u),
                          field("share", &HotspotTrafficParams::share,
                                "share of the packets to the hot node; the rest as uniform", 0., 1.)};
    }
};

inline constexpr auto traffic_patterns = std::tuple{
    kind<UniformTrafficParams>("uniform", "each packet to any node with equal probability, the source included"),
    kind<TornadoTrafficParams>("tornado", "to x + ceil(columns / 2) - 1 and y + ceil(rows / 2) - 1, round the ends"),
    kind<BitComplementTrafficParams>("bit_complement", "to the node with all bits of n inverted"),
    kind<TransposeTrafficParams>("transpose", "from (x, y) to (y, x)"),
    kind<BitReverseTrafficParams>("bit_reverse", "to the node with the bits of n in reverse order"),
    kind<ShuffleTrafficParams>("shuffle", "to the node with the bits of n rotated left by one"),
    kind<NeighborTrafficParams>("neighbor", "to x + 1 and y + 1, round the ends"),
    kind<HotspotTrafficParams>("hotspot", "a share to one node, the rest uniform"),
};
using TrafficPattern = OneOf<traffic_patterns>;

/// Why the pattern is not defined on the grid; nothing if it is.
std::optional<std::string> find_pattern_problem(const TrafficPattern& pattern, const RouterGrid& grid);

/// Draws destinations. Precondition: the pattern is defined on the grid.
class Destinations {
public:
    Destinations(const TrafficPattern& pattern, const RouterGrid& grid);

    /// For a packet from `source` with 64 random bits: a fixed node, or one drawn from them.
    std::uint32_t of(std::uint32_t source, std::uint64_t random) const;
    /// Probability that a packet from `source` goes to `to`.
    double probability(std::uint32_t source, std::uint32_t to) const;

private:
    std::uint32_t nodes_;
    std::vector<std::uint32_t> fixed_;   // per source; empty: drawn
    std::uint32_t hot_ = 0;
    std::uint64_t hot_below_ = 0;   // of 2^32 draws, those that go to the hot node
};

/// Routers that a packet passes, both ends' included, mean over sources and destinations.
double mean_routers(const Destinations& destinations, const RouterGrid& grid);

}   // namespace oscar
