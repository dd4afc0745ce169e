// The cost of one step where nothing contends, for the closed form.
#pragma once

#include "models/collective/closed_form.hpp"
#include "models/collective/endpoint.hpp"
#include "models/engine/params.hpp"
#include "models/engine/side_reads.hpp"
#include "models/net/params.hpp"
#include "models/net/routes.hpp"

namespace oscar {

/// The machine as the closed form sees it, at one of its nodes.
struct Machine {
    const Routes& routes;
    const NetworkParams& network;
    const GpuParams& gpu;
    const NicParams& nic;
    const EngineParams& engine;
    const SideReads& side;
};

/// The cost of a step that carries `message`, of `operand_values` local values at the receiver. `forwarded`: its sender
/// hands on what it received. Assumes that sender and receiver begin the timestep at the same time.
StepCost step_cost(const Machine& sender, const Machine& receiver, const Plan& plan, const Codec& codec, StepId step,
                   const Encoded& message, bool forwarded);
/// Where all nodes are alike.
inline StepCost step_cost(const Machine& machine, const Plan& plan, const Codec& codec, StepId step,
                          const Encoded& message, bool forwarded) {
    return step_cost(machine, machine, plan, codec, step, message, forwarded);
}

}   // namespace oscar
