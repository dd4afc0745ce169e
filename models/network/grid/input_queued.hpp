// Networks of input-queued routers: their restrictions and their construction.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/network/event/fabric.hpp"
#include "models/network/grid/grid.hpp"
#include "models/network/params/input_queued_params.hpp"
#include "models/network/params/network_problem.hpp"

namespace oscar {

/// The first reason why input-queued routers cannot form this network; nothing if they can. They support only credits,
/// dimension order, links that are alike, and flits. `links`: of the topology.
std::optional<NetworkProblem> find_input_queued_problem(const InputQueuedParams& params, const NetworkParams& network,
                                                        std::span<const LinkParams> links, TimingFidelity fidelity);

/// The routers of a network. Throws std::invalid_argument if its switches stand in no grid.
RouterGrid grid_of(const FabricParams& fabric);

/// All their flits in one event core. Precondition: !find_input_queued_problem(...). Throws std::invalid_argument if
/// the links cable no grid.
std::unique_ptr<Fabric> make_input_queued(const InputQueuedParams& params, const NetworkParams& network,
                                          const FabricParams& fabric, FabricClient& client);

}   // namespace oscar
