// Costs that are remembered are those that would be computed. Seeds are printed.
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/support.hpp"

namespace oscar::step_costs_test {
namespace {

using test::RandomJob;

auto parts(const StepCost& cost) { return std::tie(cost.lead, cost.wire, cost.path, cost.tail, cost.after); }

/// Tables that each rank reads in each timestep, some of them alike.
EngineMemoryTraffic random_reads(test::Draws& draw, const Schedule& schedule) {
    EngineMemoryTraffic reads;
    reads.prefetch = draw.coin();
    reads.tables.resize(schedule.ranks);
    for (auto& rank : reads.tables)
        for (std::uint32_t t = 0; t < schedule.timesteps(); ++t) rank.push_back({68 * draw.between(0, 2)});
    return reads;
}

class Costs : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Costs, OfStepsAreTheSameRememberedOrNot) {
    const RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    test::Draws draw(GetParam());
    NetworkParams network = job.spec.network;
    network.topology = job.spec.topology;
    Topology topology = make_topology(network, job.spec.ranks);
    for (auto& edge : topology.edges) {
        if (draw.coin()) edge.link.bandwidth = 77_Gbps;
        if (draw.coin()) edge.link.propagation = 333_ps;
    }
    const Routes routes(topology, network.routing);
    NodeParams other = job.spec.node;   // of some ranks
    other.gpu.dma_latency = other.gpu.dma_latency + 1_ns;
    const auto codec = make_codec(FixedPointParams{}, other.engine.framing());
    const EngineMemoryTraffic reads = random_reads(draw, job.plan.schedule);
    std::vector<NodeView> machines;
    for (std::uint32_t rank = 0; rank < job.spec.ranks; ++rank) {
        const NodeParams& node = draw.coin() ? job.spec.node : other;
        machines.push_back({routes, network, node.gpu, node.nic, node.engine, reads});
    }
    SyntheticMessageSource participants(job.plan, *codec, job.layout);
    StepCosts costs(machines, job.plan, *codec);
    for (StepId id; id.value < job.plan.schedule.steps.size(); ++id.value) {
        const bool forwarded = participants.forwards(id);
        const auto message = participants.send(id);
        const Step& step = job.plan.schedule.steps[id.value];
        EXPECT_EQ(parts(costs.of(id, message, forwarded)),
                  parts(step_cost(machines[step.from.value], machines[step.to.value], job.plan, *codec, id, *message,
                                  forwarded)))
            << "step " << id.value;
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, Costs, ::testing::Range<std::uint64_t>(700, 730));

/// Ranks and cables of which test::readable() tells the times; the tables of timestep 0 are 400 B, 100 ns of DMA.
struct CostOfTheFirstTimestep : ::testing::Test {
    test::MachineSpec spec = test::readable();
    const Plan plan = test::int8_plan(2);
    std::unique_ptr<Codec> codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    EngineMemoryTraffic reads;
    CostOfTheFirstTimestep() { reads.tables.assign(2, {400_B, 0_B}); }
    Time lead() const {
        NetworkParams network = spec.network;
        network.topology = spec.topology;
        const Topology topology = make_topology(network, 2);
        const Routes routes(topology, network.routing);
        const NodeView node{routes, network, spec.node.gpu, spec.node.nic, spec.node.engine, reads};
        const ChunkLayout layout = make_layout(EqualParams{}, 128, {2, 1}, {});
        SyntheticMessageSource participants(plan, *codec, layout);
        return step_cost(node, node, plan, *codec, StepId{0}, *participants.send(StepId{0}), false).lead;
    }
};

TEST_F(CostOfTheFirstTimestep, HasItsTablesReadBeforeItsValuesWhetherOthersAreFetchedAheadOrNot) {
    for (const bool prefetch : {true, false}) {
        reads.prefetch = prefetch;
        // 64 values behind the tables: 234.3 ns, and on to an edge; packed, and through the NIC.
        EXPECT_EQ(lead(), 235_ns + 16_ns + 7_ns + 10_ns) << prefetch;
    }
}

}   // namespace
}   // namespace oscar::step_costs_test
