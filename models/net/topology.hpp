// What is cabled to what, and which way packets go.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/core/index.hpp"
#include "models/net/params.hpp"

namespace oscar {

/// A graph of ranks (nodes 0 .. ranks-1) and switches (the nodes from `ranks` on), of unidirectional links, and routes.
struct Topology {
    struct Edge {
        std::uint32_t from, to;
    };
    std::uint32_t ranks = 0, switches = 0;
    std::vector<Edge> edges;
    std::vector<std::vector<std::optional<std::uint32_t>>>
        next;   ///< [node][rank]: the edge to take, if there is a way

    std::uint32_t nodes() const { return ranks + switches; }
    bool is_switch(std::uint32_t node) const { return node >= ranks; }
    std::string node_name(std::uint32_t node) const;
    std::string edge_name(std::uint32_t edge) const;   ///< "rank0->switch0"
    /// The edges from one rank to another; empty if there is no way.
    std::vector<std::uint32_t> path(Rank from, Rank to) const;
};

/// Throws std::invalid_argument when the kind's own `nodes` disagrees with `ranks`.
Topology make_topology(const StarParams& params, std::uint32_t ranks);
Topology make_topology(const CableRingParams& params, std::uint32_t ranks);
Topology make_topology(const TopologyKind& kind, std::uint32_t ranks);

/// From a packet's last bit leaving its rank to that bit's arrival, on an idle network: propagation, switch latency,
/// and per switch the first flit of the first packet, of `wire` bytes with header.
Time idle_transit(std::size_t links, const NetworkParams& network, Bytes wire);
Time idle_transit(const Topology& topology, const NetworkParams& network, Rank from, Rank to, Bytes wire);

}   // namespace oscar
