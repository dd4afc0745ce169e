// A machine with ranks for tests; all of a process are made before any of them runs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/endpoint/live_message_source.hpp"
#include "models/machine/machine.hpp"
#include "models/network/params/overrides.hpp"
#include "models/predict/step_cost.hpp"
#include "tests/collective/support.hpp"

namespace oscar::test {

/// What a run is made of; the defaults are a small star at 100 Gbit/s.
struct MachineSpec {
    std::uint32_t ranks = 4;
    TopologyKind topology = StarParams{};
    NetworkParams network = at_100_gbps();
    NodeParams node = {};
    Nodes nodes = {};   ///< one for each rank; none: all are like `node`
    TimingFidelity fidelity = TimingFidelity::packet;

    Nodes all_nodes() const { return nodes.empty() ? Nodes(ranks, node) : nodes; }
    static NetworkParams at_100_gbps() {
        NetworkParams params;
        params.link.bandwidth = 100_Gbps;
        return params;
    }
};

class Machine {
public:
    explicit Machine(const MachineSpec& setup, const std::string& name = "machine", const MachineParts& parts = {})
        : setup_(setup),
          topology_(overridden(setup)),
          routes_(topology_, setup.network.routing, setup.network.virtual_channels),
          system_(name.c_str(), topology_, setup.all_nodes(), setup.network, setup.fidelity, parts) {}

    static Topology overridden(const MachineSpec& setup) {
        NetworkParams network = setup.network;
        network.topology = setup.topology;
        return make_topology(network, setup.ranks);
    }

    struct Result {
        Outcome outcome;
        Reference reference;
        std::vector<RankState> timed, untimed;
    };

    /// One iteration from fresh tables, on the machine and without it.
    Result run(const Plan& plan, const Codec& codec, const std::vector<std::vector<Symbol>>& values,
               Issue issue = Issue::lock_step, const std::vector<Time>& start = {}, const ChunkLayout* layout = nullptr,
               const EngineMemoryTraffic& reads = {}) {
        Result result{{}, {}, make_endpoints(plan, codec), make_endpoints(plan, codec)};
        begin(result.timed, values, plan, 0, layout);
        begin(result.untimed, values, plan, 0, layout);
        result.reference = run_reference(plan.schedule, result.untimed);
        LiveMessageSource participants(plan, result.timed, codec);
        result.outcome = system_.run({plan, participants, issue, start, reads});
        return result;
    }

    /// The closed form of a run.
    Time closed_form_of(const Plan& plan, const Codec& codec, const Reference& reference, Issue issue,
                        const EngineMemoryTraffic& reads = {}) const {
        const Nodes nodes = setup_.all_nodes();
        std::vector<NodeView> views;
        for (const NodeParams& node : nodes)
            views.push_back({routes_, setup_.network, node.gpu, node.nic, node.engine, reads});
        StepCosts step_costs(views, plan, codec);
        std::vector<StepCost> costs;
        for (std::uint32_t i = 0; i < reference.messages.size(); ++i)
            costs.push_back(step_costs.of(StepId{i}, reference.messages[i], reference.forwarded[i]));
        return closed_form(plan.schedule, costs, issue).value();
    }

    const Topology& topology() const { return topology_; }
    const Routes& routes() const { return routes_; }
    oscar::Machine& system() { return system_; }

private:
    MachineSpec setup_;
    Topology topology_;
    Routes routes_;
    oscar::Machine system_;
};

inline Plan fp32_plan(std::uint32_t ranks, std::uint32_t slices = 1) {
    return {make_schedule(RingParams{Issue::lock_step, slices}, ranks), ElementType::float32, 32};
}
inline Plan int8_plan(std::uint32_t ranks, std::uint32_t slices = 1) {
    return {make_schedule(RingParams{Issue::lock_step, slices}, ranks), ElementType::integer, 8};
}

/// fp32 bit patterns; [ranks][elements].
inline std::vector<std::vector<Symbol>> floats(std::uint32_t ranks, std::uint32_t values_per_rank) {
    auto values = codes(ranks, values_per_rank, 8, ranks + values_per_rank);
    for (auto& rank : values)
        for (Symbol& v : rank) v = std::bit_cast<Symbol>(static_cast<float>(v) * 0.37f);
    return values;
}

inline void expect_same(const Machine::Result& result) {
    EXPECT_EQ(result.outcome.records, result.reference.records);
    for (std::size_t r = 0; r < result.timed.size(); ++r) {
        EXPECT_TRUE(std::ranges::equal(result.timed[r].values().all(), result.untimed[r].values().all()));
        EXPECT_TRUE(std::ranges::equal(result.timed[r].values().all(), result.timed[0].values().all()));
    }
}

}   // namespace oscar::test
