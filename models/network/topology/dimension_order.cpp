#include "models/network/topology/dimension_order.hpp"

namespace oscar {
namespace {

/// A row or column: its size, and whether it is a ring.
struct Line {
    std::uint32_t size;
    bool ring;

    bool rises(std::uint32_t from, std::uint32_t to, std::uint32_t partner) const {
        if (!ring) return from < to;
        const std::uint32_t up = (to + size - from) % size;
        return 2 * up < size || (2 * up == size && (from + partner) % 2 == 0);
    }
    std::uint32_t next(std::uint32_t at, bool rising) const { return (at + (rising ? 1 : size - 1)) % size; }
};

struct Walk {
    const Topology& topology;
    const Adjacency& adjacency;
    NodeId node;
    std::vector<Hop> hops = {};

    EdgeId edge_to(NodeId next) const { return adjacency.between(node, next).front(); }
    void step(NodeId next, std::uint8_t channel) {
        hops.push_back({edge_to(next), channel});
        node = next;
    }
    /// Along a line whose routers' nodes are `stride` apart.
    void go(const Line& line, std::uint32_t from, std::uint32_t to, std::uint32_t partner, std::uint32_t stride) {
        const bool rising = line.rises(from, to, partner);
        std::uint8_t channel = 0;
        for (std::uint32_t at = from; at != to;) {
            const std::uint32_t next = line.next(at, rising);
            const NodeId next_node{node.value + stride * next - stride * at};
            const bool dateline = topology.edges[edge_to(next_node)].dateline;
            step(next_node, channel);
            if (dateline) channel = 1;
            at = next;
        }
    }
};

}   // namespace

std::vector<Hop> dimension_order(const Topology& topology, const Adjacency& adjacency, Rank from, Rank to) {
    if (from == to) return {};
    const auto [rows, columns, wraps] = *topology.grid;
    Walk walk{topology, adjacency, node_of(from)};
    walk.step(topology.switch_node(from.value), 0);
    walk.go({columns, wraps && columns >= 3}, from.value % columns, to.value % columns, to.value / columns, 1);
    walk.go({rows, wraps && rows >= 3}, from.value / columns, to.value / columns, from.value % columns, columns);
    walk.step(node_of(to), 0);
    return walk.hops;
}

}   // namespace oscar
