// Networks of input-queued routers: their restrictions and their construction.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/network/core/fabric.hpp"
#include "models/network/core/vc_router.hpp"
#include "models/network/router/grid.hpp"
#include "models/network/transport/network_problem.hpp"

namespace oscar::inline network {

/// `links` are those of the topology. What the routers know of is credits, dimension order, links that are alike, and
/// flits.
std::optional<NetworkProblem> find_input_queued_problem(const InputQueuedParams& params, const NetworkParams& network,
                                                        std::span<const LinkParams> links, TimingFidelity fidelity);

/// The routers of a network. Throws std::invalid_argument if its switches stand in no grid.
RouterGrid grid_of(const FabricParams& fabric);

/// All their flits in one event core. Precondition: !find_input_queued_problem(...). Throws std::invalid_argument if
/// the links are those of no grid.
std::unique_ptr<Fabric> make_input_queued(const InputQueuedParams& params, const NetworkParams& network,
                                          const FabricParams& fabric, FabricClient& client);

}   // namespace oscar::inline network
