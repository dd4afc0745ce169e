// The cost of one step where nothing contends, for the closed form.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/collective/closed_form.hpp"
#include "models/collective/endpoint.hpp"
#include "models/engine/params.hpp"
#include "models/engine/side_reads.hpp"
#include "models/net/params.hpp"
#include "models/net/routes.hpp"

namespace oscar {

/// The machine as the closed form sees it.
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
StepCost step_cost(const Machine& machine, const Plan& plan, const Codec& codec, StepId step, const Encoded& message,
                   bool forwarded);

/// The costs of many steps. Law: of(...) == step_cost(...); what is equal in all that it depends on is computed once.
class StepCosts {
public:
    /// What it refers to must outlive it.
    StepCosts(const Machine& machine, const Plan& plan, const Codec& codec)
        : machine_(machine), plan_(plan), codec_(codec) {}
    /// Messages are told apart by where they are in memory: they are held.
    StepCost of(StepId step, std::shared_ptr<const Encoded> message, bool forwarded);

private:
    using Links = std::vector<std::pair<Bandwidth, Time>>;   ///< of a way: rate and propagation of each
    /// Links, message, tables that sender and receiver fetch late; local, forwarded, adds, adds first, completes.
    using Key = std::tuple<std::uint32_t, const Encoded*, Bytes, Bytes, std::uint32_t>;
    std::uint32_t links_of(const Step& step);
    Key key_of(StepId step, const Encoded& message, bool forwarded);

    const Machine& machine_;
    const Plan& plan_;
    const Codec& codec_;
    std::map<Links, std::uint32_t> links_;
    std::unordered_map<const Hop*, std::uint32_t> links_of_way_;
    std::map<Key, StepCost> known_;
    std::vector<std::shared_ptr<const Encoded>> messages_;
};

}   // namespace oscar
