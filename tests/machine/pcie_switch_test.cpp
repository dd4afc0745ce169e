// GPUs whose NICs reach them by one uplink: times by hand, gates to the picosecond, and sums by every collective at
// every fidelity.
#include <gmock/gmock.h>

#include "models/collective/schedule/builder.hpp"
#include "models/job/schedule_on.hpp"
#include "tests/machine/islands.hpp"
#include "tests/machine/same_outcome.hpp"

namespace oscar::pcie_switch_machine_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t chunk_values = 1024;
constexpr std::int64_t bytes = 4 * chunk_values;   // of a chunk

/// NICs read at 32 Gbit/s, `gpus` of them by one uplink.
MachineSpec on_switches(std::uint32_t ranks, std::uint32_t island, std::uint32_t gpus, std::optional<Bandwidth> uplink,
                        TimingFidelity fidelity = TimingFidelity::packet) {
    MachineSpec spec = test::of_islands(ranks, island, fidelity);
    spec.node.gpu.pcie_switch = PcieSwitchParams{.gpus = gpus, .gpu_bandwidth = 32_Gbps, .uplink = uplink};
    return spec;
}

/// Ranks 0 and 1, of one island, each send a chunk to ranks 2 and 3.
Plan to_the_other_island(Op op) {
    ScheduleBuilder builder(4, 2);
    builder.send(Rank{0}, Rank{2}, ChunkId{0}, op, 0);
    builder.send(Rank{1}, Rank{3}, ChunkId{1}, op, 0);
    return {std::move(builder).finish(), ElementType::float32, 32, Operation::transfers, false, 2};
}

Outcome run(Machine& machine, const std::vector<Time>& start = {}) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    return machine
        .run(to_the_other_island(Op::copy), *codec, test::floats(4, 2 * chunk_values), Issue::lock_step, start)
        .outcome;
}

constexpr Time ps(std::int64_t count) { return {count}; }
constexpr Time dma = ps(250 * bytes), latency = 70_ns, nic = 10_ns, wire = ps(1000 * bytes),
               across = ps(100'000 + 1000 * 64 + 30'000 + 100'000);
constexpr Time alone = dma + latency + nic + wire + across + nic + dma + latency;

/// The last blocks written meet in the uplink as the first ones read do: each GPU's is later by what the other takes.
TEST(PcieSwitches, HoldUpReadsAndWritesWhereTwoGpusShareTheRateOfOne) {
    Machine free(on_switches(4, 2, 2, 64_Gbps), "free"), ports(on_switches(4, 2, 2, {}), "ports"),
        slow(on_switches(4, 2, 2, 32_Gbps), "slow"), between(on_switches(4, 2, 2, 48_Gbps), "between");
    EXPECT_EQ(run(free).duration(), alone);
    EXPECT_EQ(run(ports).duration(), alone);
    EXPECT_EQ(run(slow).duration(), alone + dma) << "the second read follows the first, and writes do not meet";
    // The second chunk is read in 1.5 times the time of one, and comes half a time after the first. Half of it passes
    // at 16 Gbit/s for half a time, the rest at 32.
    EXPECT_EQ(run(between).duration(), alone + ps(dma.ps / 2) + ps(dma.ps / 4));
}

TEST(PcieSwitches, HoldUpNobodyWhoseGpusHaveOneEach) {
    Machine machine(on_switches(4, 2, 1, 32_Gbps));
    EXPECT_EQ(run(machine).duration(), alone);
}

TEST(PcieSwitches, LetTheSecondReadBeginInThePicosecondInWhichTheFirstEnds) {
    Machine machine(on_switches(4, 2, 2, 32_Gbps));
    for (const Time late : {dma - 1_ps, dma, dma + 1_ps}) {
        const Outcome outcome = run(machine, {0_ps, late, 0_ps, 0_ps});
        EXPECT_EQ(outcome.steps[1].sent, std::max(late, dma) + dma + latency + nic + wire) << late.ps;
        EXPECT_EQ(outcome.ranks[1].pcie_uplink->delayed, std::max(dma - late, 0_ps));
    }
}

TEST(PcieSwitches, CountTheTimeOfTheirBytesAndOfTheirDelays) {
    Machine machine(on_switches(4, 2, 2, 32_Gbps)), ports(on_switches(4, 2, 2, {}), "ports");
    const Outcome outcome = run(machine);
    EXPECT_EQ(outcome.ranks[0].pcie_uplink->busy, 2 * dma) << "two reads";
    EXPECT_EQ(outcome.ranks[3].pcie_uplink->busy, 2 * dma) << "two writes";
    EXPECT_EQ(outcome.ranks[1].pcie_uplink->delayed, dma);
    EXPECT_EQ(outcome.ranks[1].dma_read.busy, 2 * dma) << "with the delay";
    EXPECT_EQ(outcome.path.dma_ps, 3 * dma.ps);
    EXPECT_FALSE(run(ports).ranks[0].pcie_uplink);
}

/// Of 12 ranks in islands of four, two or four on a switch with the rate of 1.25 NICs.
TEST(PcieSwitches, LeaveTheSumsOfEveryCollectiveAtTheSameTimesAtEveryFidelity) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const std::uint32_t gpus : {2u, 4u})
        for (const auto& choice : choices(TimingFidelity{}))
            machines.push_back(std::make_unique<Machine>(on_switches(12, 4, gpus, 40_Gbps, choice.value),
                                                         std::string(choice.text) + std::to_string(gpus)));
    const std::size_t fidelities = machines.size() / 2;
    const auto codec = make_codec(AscParams{}, Framing{});
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::is_same_v<P, FlowsParams>) {   // the list of flows is not given
            SCOPED_TRACE(std::string(kind.name));
            if (std::is_same_v<P, InNetworkParams>) return;   // a tree over islands needs links between their switches
            const Plan plan(schedule_on(P{}, machines.front()->topology()), ElementType::integer, 8, operation_of(P{}),
                            false, 4);
            const auto values = test::codes(12, plan.schedule.chunks * 20, 8, 3);
            std::optional<Outcome> first;
            for (std::size_t m = 0; m < machines.size(); ++m) {
                const auto result = machines[m]->run(plan, *codec, values, Issue::dependency);
                for (std::uint32_t r = 0; r < 12; ++r) EXPECT_TRUE(equal_values(result.timed[r], result.untimed[r]));
                EXPECT_EQ(result.outcome.path.total_ps(), result.outcome.duration().ps);
                if (m % fidelities == 0) first = result.outcome;
                test::expect_same(result.outcome, *first);
            }
        }
    });
}

TEST(PcieSwitches, ChangeNothingWhereTheUplinkIsAsFastAsAllItsGpus) {
    std::vector<test::RandomJob> jobs;
    std::vector<std::unique_ptr<Machine>> with_switches, without_any;   // all of them before the kernel starts
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const test::RandomJob& job = jobs.emplace_back(seed);
        MachineSpec with = job.spec;
        GpuParams& gpu = with.node.gpu;
        const Bandwidth all{gpu.dma_bandwidth.mbps * job.spec.ranks};
        gpu.pcie_switch = PcieSwitchParams{job.spec.ranks, gpu.dma_bandwidth, all, 0_ps};
        MachineSpec without = with;
        without.node.gpu.pcie_switch.reset();
        with_switches.push_back(std::make_unique<Machine>(with, "with" + std::to_string(seed)));
        without_any.push_back(std::make_unique<Machine>(without, "without" + std::to_string(seed)));
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        SCOPED_TRACE(jobs[i]);
        test::expect_same(jobs[i].run_on(*with_switches[i]).outcome, jobs[i].run_on(*without_any[i]).outcome);
    }
}

}   // namespace
}   // namespace oscar::pcie_switch_machine_test
