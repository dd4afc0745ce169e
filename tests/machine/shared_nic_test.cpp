// NICs that several GPUs of an island share: times by hand, and sums by every collective at every fidelity.
#include <gmock/gmock.h>

#include "models/collective/schedule/builder.hpp"
#include "models/job/schedule_on.hpp"
#include "models/predict/link_sharing.hpp"
#include "tests/machine/islands.hpp"

namespace oscar::shared_nic_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t chunk_values = 1024;
constexpr std::int64_t bytes = 4 * chunk_values;   // of a chunk

MachineSpec of_islands(std::uint32_t ranks, std::uint32_t island, std::uint32_t gpus_per_nic,
                       TimingFidelity fidelity = TimingFidelity::packet) {
    return test::of_islands(ranks, island, fidelity, gpus_per_nic);
}

/// Ranks 0 and 1, of one island, each send a chunk to ranks 2 and 3.
Plan to_the_other_island(Op op) {
    ScheduleBuilder builder(4, 2);
    builder.send(Rank{0}, Rank{2}, ChunkId{0}, op, 0);
    builder.send(Rank{1}, Rank{3}, ChunkId{1}, op, 0);
    return {std::move(builder).finish(), ElementType::float32, 32, Operation::transfers, false, 2};
}

Time duration(Machine& machine, Op op) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    return machine.run(to_the_other_island(op), *codec, test::floats(4, 2 * chunk_values)).outcome.duration();
}

constexpr Time ps(std::int64_t count) { return {count}; }
constexpr Time dma = ps(250 * bytes), latency = 70_ns, nic = 10_ns, wire = ps(1000 * bytes),
               across = ps(100'000 + 1000 * 64 + 30'000 + 100'000);

TEST(SharedNics, SendOneMessageAfterTheOther) {
    Machine apart(of_islands(4, 2, 1), "apart"), shared(of_islands(4, 2, 2), "shared");
    EXPECT_EQ(duration(apart, Op::copy), dma + latency + nic + wire + across + nic + dma + latency);
    EXPECT_EQ(duration(shared, Op::copy), dma + latency + nic + wire + wire + across + nic + dma + latency);
}

TEST(SharedNics, ReadAndWriteByOneDma) {
    MachineSpec spec = of_islands(4, 2, 2);
    spec.node.gpu.dma_bandwidth = 4_Gbps;   // half of the cable's rate
    Machine machine(spec);
    const Time slow = ps(2000 * bytes);
    EXPECT_EQ(duration(machine, Op::copy), slow + slow + latency + nic + wire + across + nic + slow + latency);
}

/// The operand of a sum is read when its message comes; what is added first is written while the rest is being added.
TEST(SharedNics, AddByOneReduceUnit) {
    MachineSpec spec = of_islands(4, 2, 2);
    spec.node.nic.adders = 1;
    spec.node.nic.clock = 100_MHz;   // 10.24 us a chunk, and the cable 4.096
    Machine machine(spec);
    const Time operand = dma + latency + nic + wire + across + nic + dma + latency;
    const Time edge = ps((operand.ps + 9'999) / 10'000 * 10'000), last_block = ps(250 * 256);
    EXPECT_EQ(duration(machine, Op::reduce), edge + 2 * ps(1024 * 10'000) + 10_ns + last_block + latency);
}

/// Of 12 ranks in islands of four.
void expect_sums_at_the_same_times(std::uint32_t gpus_per_nic) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{}))
        machines.push_back(
            std::make_unique<Machine>(of_islands(12, 4, gpus_per_nic, choice.value), std::string(choice.text)));
    const auto codec = make_codec(AscParams{}, Framing{});
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        // The list of flows is not given, and GPUs without a NIC of their own are no leaves of a tree of switches.
        if constexpr (!std::is_same_v<P, FlowsParams> && !std::is_same_v<P, InNetworkParams>) {
            SCOPED_TRACE(std::string(kind.name));
            const Plan plan(schedule_on(P{}, machines.front()->topology()), ElementType::integer, 8, operation_of(P{}),
                            false, 4);
            const auto values = test::codes(12, plan.schedule.chunks * 20, 8, 3);
            std::optional<Outcome> first;
            for (const auto& machine : machines) {
                const auto run = machine->run(plan, *codec, values, Issue::dependency);
                for (std::uint32_t r = 0; r < 12; ++r) EXPECT_TRUE(equal_values(run.timed[r], run.untimed[r]));
                if (plan.operation == Operation::all_reduce) test::expect_same(run);
                EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
                if (!first) first = run.outcome;
                for (std::size_t i = 0; i < run.outcome.steps.size(); ++i)
                    ASSERT_EQ(run.outcome.steps[i].ready, first->steps[i].ready) << "step " << i;
            }
        }
    });
}

TEST(SharedNics, OfTwoGpusLeaveTheSumsOfEveryCollectiveAtTheSameTimesAtEveryFidelity) {
    expect_sums_at_the_same_times(2);
}
TEST(SharedNics, OfThreeGpusAndOneLeaveTheSumsOfEveryCollectiveAtTheSameTimesAtEveryFidelity) {
    expect_sums_at_the_same_times(3);
}

TEST(SharedNics, AreCabledAtTheFirstOfTheirGpus) {
    IslandsParams islands;
    islands.island = 4;
    islands.gpus_per_nic = 3;
    const Topology topology = make_topology(islands, 10, {});   // islands of 4, 4 and 2
    EXPECT_EQ(topology.switches, 3u + 2u + 1u) << "islands, rails of the first and of the second NICs, a spine";
    std::vector<std::uint32_t> nics, sharing;
    for (std::uint32_t r = 0; r < 10; ++r) {
        nics.push_back(topology.nic_of(Rank{r}).value);
        sharing.push_back(topology.sharing(Rank{r}));
    }
    EXPECT_EQ(nics, (std::vector<std::uint32_t>{0, 0, 0, 3, 4, 4, 4, 7, 8, 8}));
    EXPECT_EQ(sharing, (std::vector<std::uint32_t>{3, 3, 3, 1, 3, 3, 3, 1, 2, 2}));
    const Routes routes(topology, RoutingParams{});
    const auto first_link = [&](std::uint32_t from, std::uint32_t to) {
        return topology.edge_name(routes.path(Rank{from}, Rank{to}).front().edge);
    };
    EXPECT_EQ(first_link(1, 5), "rank0->switch3");
    EXPECT_EQ(first_link(3, 7), "rank3->switch4");
    EXPECT_EQ(first_link(1, 2), "rank1->switch0") << "inside, by the switch of the island";
    EXPECT_EQ(topology.edge_name(routes.path(Rank{1}, Rank{9}).back().edge), "switch3->rank8");
    EXPECT_THROW(schedule_on(InNetworkParams{}, topology), std::invalid_argument);
    EXPECT_TRUE(shares_links(make_schedule(RingParams{}, 10), routes, Issue::lock_step)) << "no closed form";
}

}   // namespace
}   // namespace oscar::shared_nic_test
