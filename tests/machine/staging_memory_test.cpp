// NICs with limited staging memory: times by hand, gates to the picosecond and to the byte, the same at every fidelity,
// and no deadlock, whatever the collective, the topology and the memory.
#include <gmock/gmock.h>

#include "models/collective/schedule/builder.hpp"
#include "models/job/schedule_on.hpp"
#include "tests/machine/islands.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::staging_memory_machine_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t packets = 6;

/// Rank 0 sends packets of 256 B, which are a block of 64 values each, at a byte a nanosecond; rank 1 writes them to
/// GPU memory at two nanoseconds a byte.
MachineSpec slow_writer(std::optional<Bytes> memory, TimingFidelity fidelity = TimingFidelity::packet) {
    MachineSpec spec = test::readable();
    spec.network.packet = 256_B;
    spec.fidelity = fidelity;
    spec.nodes = {spec.node, spec.node};
    spec.nodes[0].gpu.dma_bandwidth = 3200_Gbps;
    spec.nodes[1].gpu.dma_bandwidth = 4_Gbps;
    spec.nodes[1].nic.staging_memory = memory;
    return spec;
}

Outcome run(Machine& machine, const std::vector<Time>& start = {}, std::uint32_t of = packets) {
    ScheduleBuilder builder(2, 1);
    builder.send(Rank{0}, Rank{1}, ChunkId{0}, Op::copy, 0);
    const Plan plan{std::move(builder).finish(), ElementType::float32, 32, Operation::transfers};
    const auto codec = make_codec(Fp32Params{}, Framing{});
    return machine.run(plan, *codec, test::floats(2, of * 64), Issue::lock_step, start).outcome;
}

StagingUse use(const Outcome& outcome) { return outcome.ranks[1].staging.value(); }

constexpr Time wire = 256_ns, cable = 100_ns, nic = 10_ns, written = 512_ns, latency = 70'300_ps;
/// The first packet leaves when its block has been read and has passed the NIC, and has then to be taken by the other.
constexpr Time first = 640_ps + latency + nic + wire + cable + nic;
constexpr Time held = written + latency;   ///< from the write's start until the bytes are in GPU memory

TEST(StagingMemories, ThatAreUnlimitedHoldUpNothingAndAreNotReported) {
    Machine machine(slow_writer({}));
    const Outcome outcome = run(machine);
    EXPECT_EQ(outcome.duration(), first + packets * written + latency);
    EXPECT_FALSE(outcome.ranks[1].staging);
}

/// With room for one packet the next is taken when the one before is in GPU memory, and then written; with room for two
/// the write channel never waits.
TEST(StagingMemories, LetPacketsInOneByOneWhereTheyHoldOne) {
    Machine one(slow_writer(256_B), "one"), less(slow_writer(511_B), "less"), two(slow_writer(512_B), "two"),
        much(slow_writer(1_GiB), "much");
    for (Machine* machine : {&one, &less}) {
        const Outcome outcome = run(*machine);
        EXPECT_EQ(outcome.duration(), first + packets * held);
        EXPECT_EQ(use(outcome).peak, 256_B);
        // From the second packet's coming to the last one's turn, some packet waits.
        EXPECT_EQ(use(outcome).waited, (packets - 1) * held - wire);
        EXPECT_EQ(outcome.path.wait_ps, ((packets - 1) * (held - wire)).ps) << "the last came at the rate of the wire";
    }
    const Outcome both = run(two), all = run(much);
    EXPECT_EQ(both.duration(), first + packets * written + latency);
    EXPECT_EQ(use(both).peak, 512_B);
    EXPECT_EQ(all.duration(), both.duration());
    EXPECT_EQ(use(all).waited, 0_ps);
    for (const Outcome& outcome : {both, all}) EXPECT_EQ(use(outcome).overflow, 0_B);
}

/// The second packet comes a wire time after the first.
TEST(StagingMemories, LetAPacketInAtThePicosecondInWhichTheOneBeforeIsInGpuMemory) {
    std::vector<std::unique_ptr<Machine>> machines;
    for (const std::int64_t late : {-1, 0, 1}) {
        MachineSpec spec = slow_writer(256_B);
        spec.nodes[1].gpu.dma_bandwidth = 16_Gbps;   // 128 ns a packet
        spec.nodes[1].gpu.dma_latency = 128_ns + Time{late};
        machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
    }
    EXPECT_EQ(use(run(*machines[0], {}, 2)).waited, 0_ps);
    EXPECT_EQ(use(run(*machines[1], {}, 2)).waited, 0_ps);
    EXPECT_EQ(use(run(*machines[2], {}, 2)).waited, 1_ps);
}

/// A link whose buffer holds one packet: the next leaves when the credits of the one before are back, a cable after it
/// has been let in.
TEST(StagingMemories, HoldBackCreditsAndWithThemTheSender) {
    std::vector<std::unique_ptr<Machine>> machines;
    for (const std::optional<Bytes> memory : {std::optional<Bytes>{}, std::optional(256_B)})
        for (const auto fidelity : {TimingFidelity::packet, TimingFidelity::flit}) {
            MachineSpec spec = slow_writer(memory, fidelity);
            spec.network.link.buffer = 256_B;
            machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
        }
    const Time round = cable + wire + cable + nic;   // from credits to the next packet's coming
    ASSERT_LT(round, held);
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const Time each = i < 2 ? round : held;
        // The last packet follows the one before it, which is let in `packets` - 2 turns after the first.
        EXPECT_EQ(run(*machines[i]).steps[0].sent, first + (packets - 2) * each + cable + wire) << i;
    }
}

TEST(StagingMemories, HoldPacketsOfARankThatHasNotStartedUntilItDoes) {
    Machine machine(slow_writer(512_B));
    const Time start = 5_us;
    const Outcome outcome = run(machine, {0_ps, start});
    EXPECT_EQ(outcome.finish, start + packets * written + latency) << "two are there, and others come in time";
    EXPECT_EQ(use(outcome).peak, 512_B);
    EXPECT_EQ(use(outcome).overflow, 0_B);
    EXPECT_GE(use(outcome).waited, start - first - 2 * wire);
}

/// Four packets of 64 B make a block: there is room for one, and nothing would ever leave.
TEST(StagingMemories, TakeInWhatABlockNeedsBeyondTheirCapacityAndSaySo) {
    std::vector<std::unique_ptr<Machine>> machines;
    for (const std::optional<Bytes> memory : {std::optional<Bytes>{}, std::optional(64_B), std::optional(256_B)}) {
        MachineSpec spec = slow_writer(memory);
        spec.network.packet = 64_B;
        machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
    }
    const Outcome unlimited = run(*machines[0], {}, 1), narrow = run(*machines[1], {}, 1),
                  one = run(*machines[2], {}, 1);
    EXPECT_EQ(narrow.duration(), unlimited.duration());
    EXPECT_EQ(use(narrow).peak, 256_B);
    EXPECT_EQ(use(narrow).overflow, 192_B);
    EXPECT_EQ(use(one).overflow, 0_B);
}

class ARandomStaging : public ::testing::TestWithParam<std::uint64_t> {};

/// Much memory is as none at all, little gives the same at every fidelity.
TEST_P(ARandomStaging, ChangesOnlyTimesAndTheseAlikeAtEveryFidelity) {
    const test::RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    test::Draws draw(GetParam() + 1);
    const Bytes little{job.spec.network.packet.count * draw.between(1, 4) + draw.between(0, 100)};
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const std::optional<Bytes> memory : {std::optional<Bytes>{}, std::optional(1_GiB), std::optional(little)})
        for (const auto& choice : choices(TimingFidelity{})) {
            MachineSpec spec = job.spec;
            spec.node.nic.staging_memory = memory;
            spec.fidelity = choice.value;
            machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
        }
    std::vector<Outcome> outcomes;
    for (const auto& machine : machines) {
        const auto result = job.run_on(*machine);
        for (std::uint32_t r = 0; r < job.spec.ranks; ++r)
            EXPECT_TRUE(equal_values(result.timed[r], result.untimed[r])) << "rank " << r;
        outcomes.push_back(result.outcome);
    }
    for (const std::size_t i : {1u, 2u, 3u, 4u, 5u}) test::expect_same(outcomes[i], outcomes[0]);
    for (const std::size_t i : {7u, 8u}) test::expect_same(outcomes[i], outcomes[6]);
    for (std::uint32_t r = 0; r < job.spec.ranks; ++r) {
        EXPECT_EQ(outcomes[7].ranks[r].staging->peak, outcomes[6].ranks[r].staging->peak);
        EXPECT_EQ(outcomes[7].ranks[r].staging->waited, outcomes[6].ranks[r].staging->waited);
        EXPECT_LE(outcomes[6].ranks[r].staging->peak, little + outcomes[6].ranks[r].staging->overflow);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, ARandomStaging, ::testing::Range<std::uint64_t>(0, 40));

bool has_paths(const Schedule& schedule, const Routes& routes) {
    return std::ranges::none_of(schedule.steps,
                                [&](const Step& step) { return routes.path(step.from, step.to).empty(); });
}

/// Runs every collective for which the topology has paths, with room for one packet in each NIC.
void expect_no_deadlock(Machine& machine, std::uint32_t ranks, std::uint32_t island) {
    const auto codec = make_codec(AscParams{}, Framing{});
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::is_same_v<P, FlowsParams> && !std::is_same_v<P, InNetworkParams>) {
            SCOPED_TRACE(std::string(kind.name));
            const Plan plan(schedule_on(P{}, machine.topology()), ElementType::integer, 8, operation_of(P{}), false,
                            island);
            if (!has_paths(plan.schedule, machine.routes())) return;
            const auto result =
                machine.run(plan, *codec, test::codes(ranks, plan.schedule.chunks * 100, 8, 3), Issue::dependency);
            for (std::uint32_t r = 0; r < ranks; ++r) EXPECT_TRUE(equal_values(result.timed[r], result.untimed[r]));
            EXPECT_EQ(result.outcome.path.total_ps(), result.outcome.duration().ps);
        }
    });
}

TEST(StagingMemories, OfAPacketNeverStopACollectiveOnIslands) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const std::uint32_t sharing : {1u, 2u})
        for (const Staging staging : {Staging::nic, Staging::gpu}) {
            MachineSpec spec = test::of_islands(12, 4, TimingFidelity::packet, sharing);
            spec.network.packet = 64_B;
            spec.network.link.buffer = 128_B;
            spec.node.gpu.staging = staging;
            spec.node.gpu.gradients = GradientForm::codes;
            spec.node.gpu.dma_bandwidth = 1_Gbps;
            spec.node.nic.staging_memory = 64_B;
            machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
        }
    for (const auto& machine : machines) expect_no_deadlock(*machine, 12, 4);
}

TEST(StagingMemories, OfAPacketNeverStopACollectiveOnAnyTopology) {
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for_each_kind(topologies, [&]<class P>(const Kind<P>&) {
        MachineSpec spec;
        spec.ranks = 8;
        spec.topology = test::sample<P>(spec.ranks);
        spec.network.virtual_channels = 2;
        spec.network.packet = 64_B;
        spec.network.header = 0_B;
        spec.network.link.buffer = 256_B;
        spec.node.gpu.dma_bandwidth = 1_Gbps;
        spec.node.nic.staging_memory = 64_B;
        machines.push_back(std::make_unique<Machine>(spec, "m" + std::to_string(machines.size())));
    });
    for (const auto& machine : machines) expect_no_deadlock(*machine, 8, 1);
}

}   // namespace
}   // namespace oscar::staging_memory_machine_test
