// The flows of a machine's network.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "models/fabric/fabric.hpp"
#include "models/net/topology.hpp"

namespace oscar {

/// The links of a topology, each with what lies beyond it: a switch, or the NIC that takes what comes.
FabricParams fabric_of(const Topology& topology, const NetworkParams& network, Time nic_latency);

/// One flow for each pair of ranks that has something to send, along the topology's route.
class Flows {
public:
    Flows(const Topology& topology, Fabric& fabric) : topology_(topology), fabric_(fabric) {}

    struct Flow {
        FlowId id;
        std::vector<Hop> path;
    };
    /// Precondition: there is a route.
    const Flow& between(Rank from, Rank to);
    /// From where a path ends to where it begins. Precondition: there is a route.
    std::vector<Hop> way_back(std::span<const Hop> path) const;

private:
    const Topology& topology_;
    Fabric& fabric_;
    std::unordered_map<std::uint64_t, Flow> flows_;
};

}   // namespace oscar
