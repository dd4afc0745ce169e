// The flows of a machine's network.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "models/network/event/fabric.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/topology/aggregation_tree.hpp"
#include "models/network/topology/routes.hpp"

namespace oscar {

/// The links of a topology, each with the node at its end: a switch, or the receiving NIC. Their buffers are divided
/// among the virtual channels. `nic_latencies`: [rank].
FabricParams fabric_of(const Topology& topology, const NetworkParams& network, std::span<const Time> nic_latencies);

/// A flow for each path of packets from one participant to another and for each channel, which is a connection of its
/// own. Routes, fabric and tree must outlive it.
class FlowTable {
public:
    FlowTable(const Routes& routes, Fabric& fabric) : routes_(routes), fabric_(fabric) {}
    /// The flows of other hosts: all in one queue of each first link, and counted separately.
    FlowTable(const Routes& routes, Fabric& fabric, std::uint32_t queue)
        : routes_(routes), fabric_(fabric), queue_(queue) {}

    /// The switches that take part as aggregators.
    void set_aggregation_tree(const AggregationTree& tree) { tree_ = &tree; }

    struct Flow {
        FlowId id;
        std::span<const Hop> path;
    };
    /// The flow of packet number `sequence` of a channel's messages. Throws std::invalid_argument if there is no path.
    const Flow& of(Rank from, Rank to, std::uint32_t channel, std::uint32_t sequence = 0);
    /// True if the flow depends on the packet, so that packets overtake each other.
    bool spray() const { return routes_.sprays(); }
    const Topology& topology() const { return routes_.topology(); }
    /// The path back, from the end of a path to its beginning. Throws std::invalid_argument if there is no path.
    std::vector<Hop> reverse_path(std::span<const Hop> path) const;

private:
    Rank participant_at(NodeId node) const;
    std::uint32_t queue_of(Rank from, Rank to, std::uint32_t channel) const;
    std::span<const Hop> path_between(Rank from, Rank to, std::uint32_t sequence) const;

    const Routes& routes_;
    Fabric& fabric_;
    std::optional<std::uint32_t> queue_;   ///< none: one of each receiver
    const AggregationTree* tree_ = nullptr;
    std::map<std::tuple<Rank, Rank, std::uint32_t, const Hop*>, Flow> flows_;   ///< by ends, channel and path
};

}   // namespace oscar
