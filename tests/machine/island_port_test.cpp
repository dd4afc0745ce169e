// GPUs with ports of their own inside islands: times by hand, and sums by every collective.
#include <gmock/gmock.h>

#include "models/job/schedule_on.hpp"
#include "tests/machine/islands.hpp"

namespace oscar::island_port_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::of_islands;

constexpr std::uint32_t chunk_values = 1024;
constexpr std::int64_t bytes = 4 * chunk_values;   // of a chunk

constexpr Time ps(std::int64_t count) { return {count}; }

/// By the port, its link and its switch, of a cut-through packet of a chunk.
constexpr Time read = ps(50'000), port = ps(50 * bytes), link = ps(100 * bytes), add = ps(25 * bytes);
constexpr Time nic = 10_ns, inside = ps(100'000 + 100 * 64 + 30'000 + 100'000);
/// By DMA, a NIC, its link and its switch.
constexpr Time dma = ps(250 * bytes), dma_latency = 70_ns, wire = ps(1000 * bytes),
               across = ps(100'000 + 1000 * 64 + 30'000 + 100'000), adders = ps(16 * 100 + 100);

Plan fp32_plan(std::uint32_t ranks, std::uint32_t island) {
    HierarchicalParams params;
    params.island = island;
    return {make_schedule(params, ranks), ElementType::float32, 32, Operation::all_reduce, false, island};
}

Time duration(Machine& machine, const Plan& plan) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(plan, *codec, test::floats(plan.schedule.ranks, plan.schedule.chunks * chunk_values));
    test::expect_same(run);
    return run.outcome.duration();
}

/// Each of two ranks reads the chunk that the other adds up, and gets the sum of the other chunk.
TEST(IslandPorts, ExchangeInsideAnIslandWithoutDmaOrAdders) {
    MachineSpec spec = of_islands(2, 2);
    spec.node.gpu.dma_bandwidth = 1_Mbps;   // of no use
    spec.node.nic.clock = 1_MHz;
    Machine machine(spec);
    EXPECT_EQ(duration(machine, fp32_plan(2, 2)),
              read + port + nic + link + inside + nic + add + read + port + nic + link + inside + nic);
}

/// Two islands of two: two chunks to the neighbour, whose sums NICs read and add, once each way; what comes back is
/// written before the port reads it. The chunk that NICs send first goes first on a port's link; the second of those
/// that come back waits for the first.
TEST(IslandPorts, HandSumsToNicsAndTakeThemBackByGpuMemory) {
    std::vector<std::unique_ptr<Machine>> machines;
    for (const TimingFidelity fidelity : {TimingFidelity::message, TimingFidelity::packet, TimingFidelity::flit})
        machines.push_back(std::make_unique<Machine>(of_islands(4, 2, fidelity),
                                                     "machine" + std::to_string(static_cast<int>(fidelity))));
    const Time scattered = read + port + nic + link + inside + nic + add;
    const Time reduced = dma + dma_latency + nic + wire + across + nic + adders;   // the operand came meanwhile
    const Time gathered = nic + wire + across + nic;
    const Time stored = dma + dma_latency;
    const Time spread = read + port + nic + link + link + inside + nic;
    for (const auto& machine : machines)
        EXPECT_EQ(duration(*machine, fp32_plan(4, 2)), scattered + reduced + gathered + stored + spread);
}

/// A message from another island that is there before the sum that it is added to waits for that sum: rank 3 starts
/// late, and rank 2 cannot add what rank 0 sends before it has added rank 3's. Before the operand, DMA reads the chunk
/// that rank 2 sends, which came a link's time earlier.
TEST(IslandPorts, AddAcrossIslandsOnlyToWholeSums) {
    const MachineSpec spec = of_islands(4, 2);
    Machine machine(spec);
    const Plan plan = fp32_plan(4, 2);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run =
        machine.run(plan, *codec, test::floats(4, 4 * chunk_values), Issue::dependency, {0_ps, 0_ps, 0_ps, 50_us});
    test::expect_same(run);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        const StepTimes& times = run.outcome.steps[i];
        if (step.op != Op::reduce || plan.tier(StepId{i}) == Tier::inside || step.to != Rank{2}) continue;
        EXPECT_LT(times.sent, 50_us) << "rank 0 has its own sum long before";
        for (std::uint32_t j = 0; j < i; ++j) {
            const Step& other = plan.schedule.steps[j];
            if (other.to != Rank{2} || other.chunk != step.chunk) continue;
            EXPECT_EQ(times.ready, run.outcome.steps[j].ready - link + dma + dma + dma_latency + adders);
        }
    }
}

TEST(IslandPorts, LeaveTheSumsOfEveryCollective) {
    std::vector<std::unique_ptr<Machine>> machines;
    std::vector<Plan> plans;
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::is_same_v<P, FlowsParams>) {   // whose list is not given
            machines.push_back(std::make_unique<Machine>(of_islands(12, 4), std::string(kind.name)));
            plans.emplace_back(schedule_on(P{}, machines.back()->topology()), ElementType::integer, 8,
                               operation_of(P{}), false, 4);
        }
    });
    for (const Issue issue : {Issue::dependency, Issue::lock_step})
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const auto codec = make_codec(FixedPointParams{}, Framing{});
            const auto run =
                machines[i]->run(plans[i], *codec, test::codes(12, plans[i].schedule.chunks * 100, 8, i), issue);
            for (std::uint32_t r = 0; r < 12; ++r) EXPECT_TRUE(equal_values(run.timed[r], run.untimed[r]));
            if (plans[i].operation == Operation::all_reduce) test::expect_same(run);
        }
}

/// Encoded between islands, uncoded inside.
TEST(IslandPorts, CarryUncodedIntegersWhereNicsCarryCodedOnes) {
    HierarchicalParams params;
    params.island = 2;
    const Plan plan(make_schedule(params, 4), ElementType::integer, 8, Operation::all_reduce, false, 2);
    const auto codec = make_codec(AscParams{}, Framing{}), uncoded = make_codec(FixedPointParams{}, Framing{});
    std::vector<RankState> timed, untimed;
    for (std::uint32_t r = 0; r < 4; ++r)
        for (auto* ranks : {&timed, &untimed}) ranks->emplace_back(plan, *codec, 1, uncoded.get());
    Machine machine(of_islands(4, 2));
    for (std::uint8_t epoch = 0; epoch < 3; ++epoch) {   // from the second on with tables
        const auto values = test::codes(4, 4 * chunk_values, 8, epoch);
        for (auto* ranks : {&timed, &untimed}) test::begin(*ranks, values, plan, epoch);
        const Reference reference = run_reference(plan.schedule, untimed);
        LiveMessageSource source(plan, timed, *codec);
        const Outcome outcome = machine.system().run({plan, source, Issue::lock_step, {}});
        for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
            const std::uint64_t uncoded_bytes = (chunk_values * plan.width(StepId{i}) + 7) / 8;
            const bool is_inside = plan.tier(StepId{i}) == Tier::inside;
            EXPECT_TRUE(is_inside ? outcome.wire_bytes[i] == uncoded_bytes
                                  : epoch == 0 || outcome.wire_bytes[i] < uncoded_bytes)
                << i;
            EXPECT_EQ(outcome.wire_bytes[i], reference.messages[i]->size());
        }
        for (std::uint32_t r = 0; r < 4; ++r) {
            EXPECT_TRUE(equal_values(timed[r], untimed[r]));
            EXPECT_TRUE(equal_values(timed[r], timed[0]));
            timed[r].commit();
            untimed[r].commit();
        }
    }
}

}   // namespace
}   // namespace oscar::island_port_test
