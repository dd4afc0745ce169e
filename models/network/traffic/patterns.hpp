// Synthetic traffic patterns: who sends to whom. One family for routers (`oscar-sim traffic`) and for ranks (background
// traffic of other hosts).
#pragma once

#include <cstdint>
#include <string>

#include "models/core/kinds.hpp"

namespace oscar {

/// The nodes of a grid of routers, or the ranks of a network. The parameters of a pattern say for which senders it is
/// defined.
enum class PatternSenders : std::uint8_t { routers = 1, ranks = 2, both = 3 };
/// True if the two have senders in common.
constexpr bool contains(PatternSenders all, PatternSenders some) {
    return (static_cast<unsigned>(all) & static_cast<unsigned>(some)) != 0;
}

// (x, y) is the place of a source among routers, n its number, N the number of nodes. Source: Dally & Towles 2004,
// table 3.1; tornado, shuffle, bit_reverse and neighbor as BookSim 2 has them (Jiang et al., ISPASS 2013).
struct UniformTrafficParams {
    static constexpr auto senders = PatternSenders::both;
    static constexpr auto fields() { return Entries{}; }
};
struct PermutationTrafficParams {
    static constexpr auto senders = PatternSenders::ranks;
    static constexpr auto fields() { return Entries{}; }
};
struct IncastTrafficParams {
    static constexpr auto senders = PatternSenders::ranks;
    std::uint32_t to = 0;
    static constexpr auto fields() {
        return Entries{field("to", &IncastTrafficParams::to, "receiving rank", 0u, 4095u)};
    }
};
struct TornadoTrafficParams {
    static constexpr auto senders = PatternSenders::both;
    static constexpr auto fields() { return Entries{}; }
};
struct BitComplementTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    static constexpr auto fields() { return Entries{}; }
};
struct TransposeTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    static constexpr auto fields() { return Entries{}; }
};
struct BitReverseTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    static constexpr auto fields() { return Entries{}; }
};
struct ShuffleTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    static constexpr auto fields() { return Entries{}; }
};
struct NeighborTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    static constexpr auto fields() { return Entries{}; }
};
struct HotspotTrafficParams {
    static constexpr auto senders = PatternSenders::routers;
    std::uint32_t node = 0;
    double share = 0.1;
    static constexpr auto fields() {
        return Entries{field("node", &HotspotTrafficParams::node, "number of the hot node", 0u, 4095u),
                       field("share", &HotspotTrafficParams::share,
                             "share of the packets to the hot node; the rest as uniform", 0., 1.)};
    }
};

inline constexpr auto traffic_patterns = Entries{
    kind<UniformTrafficParams>("uniform",
                               "to any node with equal probability: of routers the source included, of ranks not"),
    kind<PermutationTrafficParams>("permutation", "ranks: each to another, each from another, on one random circle"),
    kind<IncastTrafficParams>("incast", "ranks: all to one"),
    kind<TornadoTrafficParams>("tornado",
                               "routers: to x + ceil(columns / 2) - 1 and y + ceil(rows / 2) - 1, round the ends; "
                               "ranks: r to r + ceil(ranks / 2) - 1, round the end"),
    kind<BitComplementTrafficParams>("bit_complement", "routers: to the node with all bits of n inverted"),
    kind<TransposeTrafficParams>("transpose", "routers: from (x, y) to (y, x)"),
    kind<BitReverseTrafficParams>("bit_reverse", "routers: to the node with the bits of n in reverse order"),
    kind<ShuffleTrafficParams>("shuffle", "routers: to the node with the bits of n rotated left by one"),
    kind<NeighborTrafficParams>("neighbor", "routers: to x + 1 and y + 1, round the ends"),
    kind<HotspotTrafficParams>("hotspot", "routers: a share to one node, the rest uniform"),
};
using TrafficPattern = OneOf<traffic_patterns>;

/// True if these senders can follow the pattern.
inline bool is_defined_for(const TrafficPattern& pattern, PatternSenders senders) {
    return std::visit([&]<class P>(const P&) { return contains(P::senders, senders); }, pattern.params);
}

/// The names of the patterns that these senders can follow, with commas.
inline std::string patterns_for(PatternSenders senders) {
    std::string names;
    for_each_kind(traffic_patterns, [&]<class P>(const Kind<P>& kind) {
        if (contains(P::senders, senders)) names += (names.empty() ? "" : ", ") + std::string(kind.name);
    });
    return names;
}

}   // namespace oscar
