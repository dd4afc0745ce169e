// With one message per link at a time, each resource serves in a fixed order, so that more of it never costs time; and
// where buffers are ample and the engine keeps up with the wire, the time is that of the closed form.
#include <gmock/gmock.h>

#include "tests/machine/support.hpp"

namespace oscar::monotone_test {
namespace {

using test::Draws;
using test::Machine;
using test::MachineSpec;
using test::RandomJob;

class MoreOf : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(MoreOf, AnyResourceNeverMakesALockStepAllReduceSlower) {
    // Lanes are missing here: they change the blocks, and so the bytes.
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    const Plan plan{make_schedule(RingParams{}, job.spec.ranks), ElementType::integer, job.bits};
    struct Variant {
        const char* name;
        MachineSpec spec;
    };
    std::vector<Variant> variants(8, {"as it is", job.spec});
    variants[1].name = "bandwidth";
    variants[1].spec.network.link.bandwidth.mbps *= 2;
    variants[2].name = "buffer";
    variants[2].spec.network.link.buffer.count *= 3;
    variants[3].name = "engine_clock";
    variants[3].spec.node.engine.clock.khz *= 2;   // has all the edges of the slower one
    variants[4].name = "adders";
    variants[4].spec.node.nic.adders *= 2;
    variants[5].name = "dma_bandwidth";
    variants[5].spec.node.gpu.dma_bandwidth.mbps *= 2;
    variants[6].name = "propagation";
    variants[6].spec.network.link.propagation.ps /= 2;
    variants[7].name = "flit";   // a finer cut-through
    variants[7].spec.network.flit.count = (variants[7].spec.network.flit.count + 1) / 2;

    std::vector<std::unique_ptr<oscar::Machine>> systems;   // all of them before the kernel starts
    for (const Variant& variant : variants)
        systems.push_back(std::make_unique<oscar::Machine>(
            variant.name, make_topology(variant.spec.topology, variant.spec.ranks, variant.spec.network.link),
            variant.spec.node, variant.spec.network));
    std::vector<Time> durations;
    for (const auto& system : systems) {
        auto rank_states = test::make_endpoints(plan, *job.codec);
        test::begin(rank_states, job.values, plan);
        LiveMessageSource participants(plan, rank_states, *job.codec);
        durations.push_back(system->run({plan, participants, Issue::lock_step, {}}).duration());
    }
    for (std::size_t v = 1; v < variants.size(); ++v) EXPECT_LE(durations[v], durations[0]) << variants[v].name;
}

INSTANTIATE_TEST_SUITE_P(Seed, MoreOf, ::testing::Range<std::uint64_t>(100, 140));

class AmpleMachine : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AmpleMachine, IsWithinAPacketTimeOfTheClosedFormOnEitherIssue) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    MachineSpec spec = job.spec;
    Draws draw(GetParam() + 1000);
    spec.network.link.bandwidth.mbps = draw.between(5'000, 100'000);   // at most 12.5 values of a byte a ns, coded 50
    spec.network.link.buffer = 1_MiB;                                  // more than all that is sent
    spec.node.gpu.dma_bandwidth.mbps = draw.between(2'000'000, 8'000'000);   // 62.5 values a ns and more
    spec.node.nic.adders = 64;
    spec.node.nic.clock.khz = draw.between(1'000'000, 3'000'000);
    spec.node.engine.lanes = draw.number(64, 128);
    spec.node.engine.clock.khz = draw.between(1'000'000, 3'000'000);
    spec.node.engine.encode_interval = spec.node.engine.decode_interval = 1;
    spec.node.engine.search = RowSearch::flash;
    spec.node.engine.min_lane_values = 4;
    Machine machine(spec);
    const auto codec = make_codec(job.choice, spec.node.engine.framing());
    const Plan plan{make_schedule(RingParams{}, spec.ranks), ElementType::integer, job.bits};
    spec.node.engine.mask_sram = spec.node.engine.table_sram = Bytes{draw.between(0, 3000)};
    const EngineMemoryTraffic reads = engine_reads(spec.node.engine, plan, *codec, {draw.number(1, 16)}, job.elements);
    const std::int64_t rounds = plan.schedule.timesteps();
    // A packet, and in each round one edge waited for by encoder, decoder or adder.
    const Time packet = serialization(spec.network.packet + spec.network.header, spec.network.link.bandwidth);
    const Time tolerance = packet + 2 * rounds * 1_ns;
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        SCOPED_TRACE(to_text(issue));
        const auto run = machine.run(plan, *codec, job.values, issue, {}, nullptr, reads);
        const Time form = machine.closed_form_of(plan, *codec, run.reference, issue, reads);
        EXPECT_LE(std::abs((run.outcome.duration() - form).ps), tolerance.ps)
            << to_text(run.outcome.duration()) << " simulated, " << to_text(form) << " in closed form";
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, AmpleMachine, ::testing::Range<std::uint64_t>(200, 240));

TEST(ClosedFormOfAStar, HoldsIfTheLastPacketIsShorterThanAFlit) {
    // Of 17 words, 64 B travel in a packet of one flit, and 4 B in its wake: in the switch, both are late by the 64.
    MachineSpec spec = test::readable();
    spec.topology = StarParams{};
    spec.ranks = 8;
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan = test::fp32_plan(8);
    const auto run = machine.run(plan, *codec, test::floats(8, 8 * 17));
    const Time step = run.outcome.steps[8 * 13].arrived - run.outcome.steps[8 * 13].issued;   // of the last timestep
    EXPECT_EQ(step, 10_ns + 64_ns + 4_ns + 2 * 100_ns + 300_ns + 64_ns + 10_ns);
    const Time form = machine.closed_form_of(plan, *codec, run.reference, Issue::lock_step);
    EXPECT_LE(std::abs((run.outcome.duration() - form).ps), (64_ns + 14 * 2_ns).ps)
        << to_text(run.outcome.duration()) << " simulated, " << to_text(form) << " in closed form";
}

}   // namespace
}   // namespace oscar::monotone_test
