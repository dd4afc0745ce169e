#include "models/network/open_loop/destinations.hpp"

#include <bit>
#include <cmath>

namespace oscar {
namespace {

struct Source {
    std::uint32_t node, nodes, rows, columns;
    std::uint32_t x() const { return node % columns; }
    std::uint32_t y() const { return node / columns; }
    std::uint32_t bits() const { return static_cast<std::uint32_t>(std::bit_width(nodes - 1)); }
    std::uint32_t moved_by(std::uint32_t dx, std::uint32_t dy) const {
        return (y() + dy) % rows * columns + (x() + dx) % columns;
    }
};

std::uint32_t fixed(const TornadoTrafficParams&, Source s) {
    return s.moved_by((s.columns + 1) / 2 - 1, (s.rows + 1) / 2 - 1);
}
std::uint32_t fixed(const BitComplementTrafficParams&, Source s) { return s.nodes - 1 - s.node; }
std::uint32_t fixed(const TransposeTrafficParams&, Source s) { return s.x() * s.columns + s.y(); }
std::uint32_t fixed(const BitReverseTrafficParams&, Source s) {
    std::uint32_t reversed = 0;
    for (std::uint32_t i = 0; i < s.bits(); ++i) reversed |= (s.node >> i & 1) << (s.bits() - 1 - i);
    return reversed;
}
std::uint32_t fixed(const ShuffleTrafficParams&, Source s) {
    return s.bits() == 0 ? 0 : (s.node << 1 | s.node >> (s.bits() - 1)) & (s.nodes - 1);
}
std::uint32_t fixed(const NeighborTrafficParams&, Source s) { return s.moved_by(1, 1); }

template <class P>
concept Fixed = requires(const P& params, Source source) {
    fixed(params, source);
};

template <class P>
constexpr bool on_bits = std::is_same_v<P, BitComplementTrafficParams> || std::is_same_v<P, BitReverseTrafficParams> ||
                         std::is_same_v<P, ShuffleTrafficParams>;

}   // namespace

std::optional<std::string> find_pattern_problem(const TrafficPattern& pattern, const RouterGrid& grid) {
    if (!is_defined_for(pattern, PatternSenders::routers))
        return std::string(pattern.name()) + " is a pattern of ranks, for background traffic; choose one of routers: " +
               patterns_for(PatternSenders::routers);
    return std::visit(
        [&]<class P>(const P& params) -> std::optional<std::string> {
            if constexpr (on_bits<P>) {
                if (!std::has_single_bit(grid.routers()))
                    return std::string(pattern.name()) + " permutes the bits of a node's number, but there are " +
                           std::to_string(grid.routers()) + " nodes; make rows * columns a power of two";
            } else if constexpr (std::is_same_v<P, TransposeTrafficParams>) {
                if (grid.rows() != grid.columns())
                    return "transpose needs a square, but there are " + std::to_string(grid.rows()) + " rows and " +
                           std::to_string(grid.columns()) + " columns; make them equal";
            } else if constexpr (std::is_same_v<P, HotspotTrafficParams>) {
                if (params.node >= grid.routers())
                    return "the hot node is " + std::to_string(params.node) + ", but nodes are 0 to " +
                           std::to_string(grid.routers() - 1) + "; lower node";
            }
            return std::nullopt;
        },
        pattern.params);
}

Destinations::Destinations(const TrafficPattern& pattern, const RouterGrid& grid) : nodes_(grid.routers()) {
    std::visit(
        [&]<class P>(const P& params) {
            if constexpr (Fixed<P>)
                for (std::uint32_t n = 0; n < nodes_; ++n)
                    fixed_.push_back(NodeId{fixed(params, Source{n, nodes_, grid.rows(), grid.columns()})});
            else if constexpr (std::is_same_v<P, HotspotTrafficParams>) {
                hot_ = NodeId{params.node};
                hot_below_ = static_cast<std::uint64_t>(std::llround(params.share * 0x1p32));
            }
        },
        pattern.params);
}

NodeId Destinations::of(NodeId source, std::uint64_t random) const {
    if (!fixed_.empty()) return fixed_[source];
    if ((random >> 32) < hot_below_) return hot_;
    return NodeId{static_cast<std::uint32_t>((random & 0xFFFFFFFF) * nodes_ >> 32)};
}

double Destinations::probability(NodeId source, NodeId to) const {
    if (!fixed_.empty()) return fixed_[source] == to ? 1 : 0;
    const double hot = static_cast<double>(hot_below_) * 0x1p-32;
    return (1 - hot) / nodes_ + (to == hot_ ? hot : 0);
}

double mean_routers(const Destinations& destinations, const RouterGrid& grid) {
    double sum = 0;
    for (const NodeId from : grid.node_ids())
        for (const NodeId to : grid.node_ids())
            sum += destinations.probability(from, to) * grid.routers_between(from, to);
    return sum / grid.routers();
}

}   // namespace oscar
