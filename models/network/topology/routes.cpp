#include "models/network/topology/routes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/core/random.hpp"
#include "models/network/topology/dimension_order.hpp"

namespace oscar {
namespace {

std::uint32_t pick(std::uint64_t hash, std::size_t choices) {
    return static_cast<std::uint32_t>((hash >> 32) * choices >> 32);
}

std::uint64_t seed_of(const RoutingParams& routing) {
    return std::visit(
        [](const auto& params) -> std::uint64_t {
            if constexpr (requires { params.seed; }) return params.seed;
            else return 0;
        },
        routing.params);
}

/// The sum of the places of a switch on its lines along the dimensions from `begin` to before `end`.
std::uint32_t places(const Topology& topology, const Adjacency& adjacency, NodeId at, std::uint32_t begin,
                     std::uint32_t end) {
    std::map<std::uint32_t, std::uint32_t> place;   // [dimension]; a ring has two links from here, of one place
    for (const EdgeId e : adjacency.to_switches(at))
        if (const auto& edge = topology.edges[e]; edge.dimension >= begin && edge.dimension < end)
            place[edge.dimension] = edge.place;
    std::uint32_t sum = 0;
    for (const auto& [dimension, number] : place) sum += number;
    return sum;
}

/// Of links of one line, which lead both ways round it, moves those of the way to the front that dimension_order()
/// takes from the router `from` to the router `to`, and returns them.
std::span<EdgeId> one_way_round(std::span<EdgeId> edges, const Topology& topology, const Adjacency& adjacency,
                                NodeId from, NodeId to) {
    const auto rises = [&](EdgeId e) { return topology.edges[e].rises; };
    const auto rising = std::ranges::count_if(edges, rises);
    if (rising == 0 || rising == std::ssize(edges)) return edges;
    const auto& [dimension, place] =
        std::pair(topology.edges[edges.front()].dimension, topology.edges[edges.front()].place);
    const std::uint32_t partner = places(topology, adjacency, from, 0, dimension) +
                                  places(topology, adjacency, to, dimension + 1, Topology::none);
    const bool rise = (place + partner) % 2 == 0;
    const auto others = std::stable_partition(edges.begin(), edges.end(), [&](EdgeId e) { return rises(e) == rise; });
    return {edges.begin(), others};
}

}   // namespace

ChannelClasses::ChannelClasses(const Topology& topology, std::uint32_t virtual_channels) {
    const std::uint32_t needed = std::ranges::any_of(topology.edges, &Topology::Edge::dateline) ? 2 : 1;
    classes = std::min(needed, virtual_channels);
    groups = virtual_channels / classes;
}

std::span<EdgeId> lowest_dimension(std::span<EdgeId> edges, const Topology& topology) {
    const auto dimension = [&](EdgeId e) { return topology.edges[e].dimension; };
    if (edges.empty()) return edges;
    const std::uint32_t lowest = dimension(*std::ranges::min_element(edges, {}, dimension));
    const auto others =
        std::stable_partition(edges.begin(), edges.end(), [&](EdgeId e) { return dimension(e) == lowest; });
    return {edges.begin(), others};
}

Routes::Routes(const Topology& topology, const RoutingParams& routing, std::uint32_t virtual_channels)
    : topology_(&topology),
      routing_(resolve(routing, topology)),
      classes_(topology, virtual_channels),
      shortest_paths_(topology) {}

std::size_t Routes::HashOfHops::operator()(const std::vector<Hop>& hops) const {
    std::uint64_t hash = hops.size();
    for (const Hop& hop : hops) hash = random_at(hash, std::uint64_t{hop.edge.value} << 8 | hop.channel);
    return hash;
}

/// Of the cheapest links, those that dimension order takes after `hops` on the way to a rank.
std::span<EdgeId> Routes::in_dimension_order(std::span<EdgeId> links, std::span<const Hop> hops, Rank to) const {
    const auto lowest = lowest_dimension(links, *topology_);
    if (hops.empty() || lowest.size() < 2) return lowest;
    const Adjacency& adjacency = shortest_paths_.adjacency();
    const NodeId first = topology_->edges[hops.front().edge].to;
    const NodeId last = topology_->edges[adjacency.in(node_of(to)).front()].from;
    return one_way_round(lowest, *topology_, adjacency, first, last);
}

/// Between islands a packet leaves and comes by the cables of NICs.
std::vector<Hop> Routes::cheapest(Rank from, Rank to, std::uint64_t key) const {
    if (!topology_->same_island(from, to)) from = topology_->nic_of(from), to = topology_->nic_of(to);
    const bool in_order = std::holds_alternative<DimensionOrderParams>(routing_.params);
    std::vector<Hop> hops;
    for (NodeId node = node_of(from); node != node_of(to); node = topology_->edges[hops.back().edge].to) {
        const auto cheapest = shortest_paths_.choices(node, to);
        std::vector<EdgeId> links(cheapest.begin(), cheapest.end());
        const auto choices = in_order ? in_dimension_order(links, hops, to) : std::span(links);
        if (choices.empty()) return {};
        const EdgeId edge = choices[pick(random_at(key, node.value), choices.size())];
        hops.push_back({edge, hops.empty() ? std::uint8_t{0} : classes_.class_after(hops.back(), edge, *topology_)});
    }
    return hops;
}

std::vector<Hop> Routes::find(Rank from, Rank to, std::uint64_t entropy) const {
    const std::uint64_t flow = random_at(random_at(seed_of(routing_), from.value), to.value);
    std::vector<Hop> hops = topology_->grid && std::holds_alternative<DimensionOrderParams>(routing_.params)
                                ? dimension_order(*topology_, shortest_paths_.adjacency(), from, to)
                                : cheapest(from, to, sprays() ? random_at(flow, entropy) : flow);
    const std::uint32_t first = classes_.classes * pick(flow, classes_.groups);
    for (Hop& hop : hops) hop.channel = static_cast<std::uint8_t>(first + classes_.clamp(hop.channel));
    return hops;
}

std::span<const Hop> Routes::path(Rank from, Rank to, std::uint64_t entropy) const {
    const std::uint64_t flow = std::uint64_t{from.value} << 32 | to.value;
    if (!sprays())
        if (const auto found = of_flow_.find(flow); found != of_flow_.end()) return found->second;
    const std::span<const Hop> hops = *kept_.insert(find(from, to, entropy)).first;
    if (!sprays()) of_flow_[flow] = hops;
    return hops;
}

}   // namespace oscar
