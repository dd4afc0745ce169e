// The cost of one step without contention, for the closed form.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/collective/schedule/closed_form.hpp"
#include "models/engine/engine_memory_traffic.hpp"
#include "models/engine/engine_params.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/topology/routes.hpp"
#include "models/nic/nic_params.hpp"

namespace oscar {

/// The machine as the closed form sees it, at one of its nodes.
struct NodeView {
    const Routes& routes;
    const NetworkParams& network;
    const GpuParams& gpu;
    const NicParams& nic;
    const EngineParams& engine;
    const EngineMemoryTraffic& engine_reads;
};

/// Whether the arrays that serve a step hold its tables from a step before.
struct HeldTables {
    bool encoder = false, decoder = false;
};

/// The cost of a step that carries `message`, of `operand_values` local values at the receiver. `forwarded`: its sender
/// hands on what it received. Assumes that sender and receiver begin the timestep at the same time.
StepCost step_cost(const NodeView& sender, const NodeView& receiver, const Plan& plan, const Codec& codec, StepId step,
                   const Encoded& message, bool forwarded, HeldTables held = {});
/// The cost of a step where all nodes are alike.
inline StepCost step_cost(const NodeView& machine, const Plan& plan, const Codec& codec, StepId step,
                          const Encoded& message, bool forwarded) {
    return step_cost(machine, machine, plan, codec, step, message, forwarded);
}

/// The costs of many steps. Law: of(...) == step_cost(...), with the tables that steps asked for before have left in
/// the arrays of its ranks; what is equal in all that it depends on is computed once.
class StepCosts {
public:
    /// [rank] of `machines`, which share all but their nodes. What is referred to must outlive it.
    StepCosts(std::span<const NodeView> machines, const Plan& plan, const Codec& codec);
    /// Messages are told apart by their addresses, and are therefore held. Called in the order of the schedule.
    StepCost of(StepId step, std::shared_ptr<const Encoded> message, bool forwarded);

private:
    using Links = std::vector<std::pair<Bandwidth, Time>>;   ///< of a path: rate and propagation of each
    /// Links, message, kinds of sender and receiver and the tables they fetch late; local, forwarded, adds, adds first,
    /// completes, tables held by encoder and decoder.
    using Key = std::tuple<std::uint32_t, const Encoded*, std::uint32_t, std::uint32_t, Bytes, Bytes, std::uint32_t>;
    std::uint32_t links_of(const Step& step);
    Key key_of(StepId step, const Encoded& message, bool forwarded, HeldTables held);
    /// What the arrays hold before the step, which leaves its own tables in them.
    HeldTables take_up(const Step& step, const Encoded& message, bool forwarded);

    std::span<const NodeView> machines_;
    std::vector<std::uint32_t> kinds_;   ///< [rank], the first rank whose node is alike
    const Plan& plan_;
    const Codec& codec_;
    std::vector<std::optional<std::uint16_t>> encoders_, decoders_;   ///< [rank], the check of the tables that it holds
    std::map<Links, std::uint32_t> links_;
    std::unordered_map<const Hop*, std::uint32_t> links_of_path_;
    std::map<Key, StepCost> cache_;
    std::unordered_map<const Encoded*, std::optional<std::uint16_t>> tables_;   ///< of each message, which is held
    std::vector<std::shared_ptr<const Encoded>> messages_;
};

}   // namespace oscar
