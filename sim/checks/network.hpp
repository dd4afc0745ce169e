// Checks of `network`: topology, routing, buffers, transport, background traffic.
#pragma once

#include "models/network/topology/routes.hpp"
#include "models/network/topology/topology.hpp"
#include "sim/checks/places.hpp"
#include "sim/checks/subjects.hpp"
#include "sim/config/node.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// A topology with its overrides, as the node `network` tells. ConfigError: sizes that do not fit the ranks, an
/// override that names no link.
Topology cabled_topology(const NetworkParams& params, std::uint32_t ranks, const ConfigNode& network);

/// The routes of the experiment's packets, by its routing and virtual channels. `cabled.topology` must outlive them.
Routes routes_of(const CabledExperiment& cabled);

/// ConfigError: a routing that the topology has no use for.
void check_network_routing(const CabledExperiment& cabled);

/// ConfigError: network.link.buffer is given, although input-queued routers have buffers of their own.
void check_network_link_buffer(const CabledExperiment& cabled);

/// ConfigError: a grid that input-queued routers cannot have.
void check_network_grid(const CabledExperiment& cabled);

/// ConfigError: a circle of waits (models/network/topology/deadlock.hpp).
void check_network_wait_cycles(const CabledExperiment& cabled);

/// ConfigError: a flow control, loss, repair or router that cannot work on some link.
void check_network_transport(const CabledExperiment& cabled);

/// ConfigError: damage that nothing checks for, of messages without bytes.
void check_network_faults(const CabledExperiment& cabled);

/// ConfigError: no path for a flow of the collective, or none back for its receiver's answers.
void check_network_flows(const CabledExperiment& cabled);

/// ConfigError: a timeout in which not even an idle network brings the answer to a full packet. Precondition: every
/// flow has a path, and one back.
void check_network_timeout(const CabledExperiment& cabled);

/// ConfigError: a sender that is none or named twice, a pattern that so few ranks or these senders do not allow.
void check_background(const Experiment& experiment);

/// ConfigError: no path for a message that may come, or none back for its receiver's answers.
void check_background_ways(const CabledExperiment& cabled);

}   // namespace oscar
