// The closed form of a collective in an experiment, with which the simulated time is compared.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "models/collective/endpoint/plan.hpp"
#include "models/engine/engine_memory_traffic.hpp"
#include "models/exchange/exchange.hpp"
#include "models/network/topology/routes.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The time from the first rank's start to the last rank's end. Null where the closed form does not include all that
/// the machine does: background traffic, losses, pauses, marks, input-queued routers; ranks that differ while steps
/// wait for their data only (a slow rank's queue delays others); switches that add; links that slices share; or any
/// step with a release time above 0. `releases`: per step, the earliest time at which it may begin; empty: none is held
/// back.
std::optional<Time> closed_form_of(const Parameters& parameters, const Routes& routes, const Nodes& nodes,
                                   const Plan& plan, const Codec& codec, const EngineMemoryTraffic& reads,
                                   std::span<const Time> releases,
                                   const std::function<StepMessage(StepId)>& message_of);

}   // namespace oscar
