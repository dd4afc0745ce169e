#include "models/network/topology/deadlock.hpp"

#include <algorithm>
#include <set>

#include "models/network/topology/channel_dependencies.hpp"
#include "models/network/topology/dimension_order.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {
namespace {

/// Dimension order never turns from a column into a row, so that a circle is one of a single row or column; all rows
/// are alike, and all columns. A path that is part of a longer one adds nothing: the farthest in each direction
/// suffice, once for each parity of the partner line.
class GridPaths {
public:
    GridPaths(const Topology& topology, const Adjacency& adjacency, const ChannelClasses& classes)
        : topology_(topology), adjacency_(adjacency), classes_(classes) {}

    void add_to(ChannelDependencies& dependencies) const {
        const std::uint32_t rows = topology_.grid->rows, columns = topology_.grid->columns;
        for_each_farthest(columns, [&](std::uint32_t a, std::uint32_t b) {
            for (std::uint32_t row = 0; row < std::min(rows, 2u); ++row) add(dependencies, a, row * columns + b);
        });
        for_each_farthest(rows, [&](std::uint32_t a, std::uint32_t b) {
            for (std::uint32_t x = 0; x < std::min(columns, 2u); ++x) add(dependencies, a * columns + x, b * columns);
        });
    }

private:
    template <class F>
    static void for_each_farthest(std::uint32_t size, F&& f) {
        for (std::uint32_t a = 0; a < size; ++a)
            for (const std::uint32_t b :
                 {0u, size - 1, (a + size / 2) % size, (a + (size - 1) / 2) % size, (a + size - (size - 1) / 2) % size})
                f(a, b);
    }
    void add(ChannelDependencies& dependencies, std::uint32_t from, std::uint32_t to) const {
        auto hops = dimension_order(topology_, adjacency_, Rank{from}, Rank{to});
        for (Hop& hop : hops) hop.channel = classes_.clamp(hop.channel);
        for (std::size_t i = 1; i < hops.size(); ++i) dependencies.add(hops[i - 1], hops[i]);
    }

    const Topology& topology_;
    const Adjacency& adjacency_;
    const ChannelClasses& classes_;
};

/// Every path to the ranks of one attachment: from each switch where a packet may come in, all links that lead nearer;
/// `in_order`: along the lowest dimension.
class PathsToOne {
public:
    PathsToOne(const Topology& topology, const ShortestPaths& paths, const ChannelClasses& classes, bool in_order)
        : topology_(topology), paths_(paths), classes_(classes), in_order_(in_order) {}

    void add_to(ChannelDependencies& dependencies, Rank to) {
        costs_ = &paths_.costs_to(to);
        met_.assign(topology_.edges.size() * classes_.classes, false);
        for (std::uint32_t from = 0; from < topology_.ranks; ++from) {
            if (from == to.value) continue;
            const auto first = paths_.choices(node_of(Rank{from}), to);
            for (const EdgeId e : std::vector(first.begin(), first.end())) meet({e, 0});
        }
        while (!open_.empty()) {
            const Hop hop = open_.back();
            open_.pop_back();
            follow(dependencies, hop);
        }
    }

private:
    void meet(const Hop& hop) {
        const std::size_t vertex = std::size_t{hop.edge.value} * classes_.classes + hop.channel;
        if (met_[vertex] || !topology_.is_switch(topology_.edges[hop.edge].to)) return;
        met_[vertex] = true;
        open_.push_back(hop);
    }
    void follow(ChannelDependencies& dependencies, const Hop& hop) {
        const NodeId node = topology_.edges[hop.edge].to;
        const std::uint32_t here = (*costs_)[topology_.switch_number(node)];
        links_.clear();
        for (const EdgeId e : paths_.adjacency().to_switches(node))
            if (paths_.cost_over(e, *costs_) == here) links_.push_back(e);
        for (const EdgeId e : in_order_ ? lowest_dimension(links_, topology_) : std::span(links_)) {
            const Hop next{e, classes_.class_after(hop, e, topology_)};
            dependencies.add(hop, next);
            meet(next);
        }
    }

    const Topology& topology_;
    const ShortestPaths& paths_;
    const ChannelClasses& classes_;
    bool in_order_;
    const std::vector<std::uint32_t>* costs_ = nullptr;
    std::vector<EdgeId> links_;   ///< that lead nearer from the switch that is looked at
    std::vector<bool> met_;
    std::vector<Hop> open_;
};

void add_cheapest(ChannelDependencies& dependencies, const Topology& topology, const ShortestPaths& paths,
                  const ChannelClasses& classes, bool in_order) {
    PathsToOne to_one(topology, paths, classes, in_order);
    std::set<const void*> done;   // costs are shared by ranks of one attachment, and so are the paths
    for (std::uint32_t to = 0; to < topology.ranks; ++to)
        if (done.insert(&paths.costs_to(Rank{to})).second) to_one.add_to(dependencies, Rank{to});
}

bool joins_switches(const Topology& topology) {
    return std::ranges::any_of(topology.edges,
                               [&](const auto& e) { return topology.is_switch(e.from) && topology.is_switch(e.to); });
}

}   // namespace

std::vector<Hop> find_wait_cycle(const Topology& topology, const RoutingParams& routing,
                                 std::uint32_t virtual_channels) {
    if (!joins_switches(topology)) return {};
    const ChannelClasses classes(topology, virtual_channels);
    const ShortestPaths paths(topology);
    ChannelDependencies dependencies(topology, paths.adjacency(), classes.classes);
    const bool in_order = std::holds_alternative<DimensionOrderParams>(resolve(routing, topology).params);
    if (in_order && topology.grid) GridPaths(topology, paths.adjacency(), classes).add_to(dependencies);
    else add_cheapest(dependencies, topology, paths, classes, in_order);
    return dependencies.cycle();
}

}   // namespace oscar
