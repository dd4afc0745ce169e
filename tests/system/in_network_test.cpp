// Collectives in which switches add: on every topology with switches the sums and bytes of the reference, at every
// fidelity; and the times of a star, to the picosecond.
#include <gtest/gtest.h>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/collective/schedule/find_problem.hpp"
#include "models/engine/engine_cycles.hpp"
#include "models/job/schedule_on.hpp"
#include "tests/machine/support.hpp"

namespace oscar::in_network_test {
namespace {

using test::Machine;
using test::MachineSpec;

InNetworkParams chunks(std::uint32_t slices) {
    InNetworkParams params;
    params.slices = slices;
    return params;
}

/// A spine of switch 6 over leaves 0 to 5, where leaf 5 has no rank and leaf 4 one: neither of them adds.
GraphParams uneven_leaves(std::uint32_t ranks) {
    GraphParams graph;
    graph.switches = 7;
    const auto cable = [&](const std::string& from, const std::string& to) {
        GraphEdge edge;
        edge.from = from;
        edge.to = to;
        graph.edges.push_back(edge);
    };
    for (std::uint32_t r = 0; r < ranks; ++r)
        cable("rank" + std::to_string(r), "switch" + std::to_string(r == 0 ? 4 : r % 4));
    for (int leaf = 0; leaf < 6; ++leaf) cable("switch" + std::to_string(leaf), "switch6");
    return graph;
}

std::vector<TopologyKind> topologies_for(std::uint32_t ranks) {
    return {StarParams{},
            FatTreeParams{},
            FatTreeParams{.levels = 2},
            LeafSpineParams{},
            IslandsParams{.island = 4},
            IslandsParams{.island = 2, .rails = false},
            uneven_leaves(ranks)};
}

TEST(InNetwork, IsAnAllReduceFrom2To33RanksOnEveryTopologyWithSwitches) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
        for (const TopologyKind& kind : topologies_for(ranks)) {
            const Schedule schedule = schedule_on(chunks(3), make_topology(kind, ranks, {}));
            EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt) << kind.name() << ranks;
            EXPECT_EQ(schedule.steps.size(), 2u * (schedule.participants() - 1) * 3);
        }
}

struct Case {
    std::uint32_t ranks, topology;
};
class InNetworkOn : public ::testing::TestWithParam<Case> {};

/// Buffers of two packets and few slots, so that both hold senders back.
TEST_P(InNetworkOn, ATopologySumsAsTheReferenceAtTheSameTimesAtEveryFidelity) {
    MachineSpec spec;
    spec.ranks = GetParam().ranks;
    spec.topology = topologies_for(spec.ranks)[GetParam().topology];
    spec.network.packet = 300_B;
    spec.network.link = {100_Gbps, 120_ns, 800_B};
    spec.network.switches.aggregator = {.adders = 7, .latency = 5, .slots = 3, .clock = 900_MHz};
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    for (const CodecChoice& choice :
         {CodecChoice(AscParams{}), CodecChoice(FixedPointParams{}), CodecChoice(Fp32Params{})}) {
        SCOPED_TRACE(std::string(choice.name()));
        const bool floats = std::holds_alternative<Fp32Params>(choice.params);
        const Plan plan(schedule_on(chunks(9), machines.front()->topology()),
                        floats ? ElementType::float32 : ElementType::integer, floats ? 32 : 8);
        const auto values = floats ? test::floats(spec.ranks, 2900) : test::codes(spec.ranks, 2900, 8, 1);
        const auto codec = make_codec(choice, spec.node.engine.framing());
        std::optional<Outcome> first;
        for (const auto& machine : machines) {
            const auto run = machine->run(plan, *codec, values, Issue::dependency);
            test::expect_same(run);
            EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
            EXPECT_EQ(floats || std::ranges::equal(run.timed[0].values().all(), exact_sum(values)), true);
            if (!first) first = run.outcome;
            EXPECT_EQ(run.outcome.finish, first->finish);
            for (std::size_t i = 0; i < run.outcome.steps.size(); ++i) {
                const StepTimes &x = run.outcome.steps[i], &y = first->steps[i];
                ASSERT_EQ(std::tie(x.issued, x.sent, x.arrived, x.ready, x.path),
                          std::tie(y.issued, y.sent, y.arrived, y.ready, y.path))
                    << "step " << i;
            }
        }
    }
}

std::vector<Case> cases() {
    std::vector<Case> result;
    for (std::uint32_t topology = 0; topology < topologies_for(2).size(); ++topology)
        for (const std::uint32_t ranks : {2u, 5u, 9u}) result.push_back({ranks, topology});
    return result;
}
INSTANTIATE_TEST_SUITE_P(Of, InNetworkOn, ::testing::ValuesIn(cases()));

/// A star where a byte takes 1 ns on a link and a value 1 ns from or to GPU memory, in chunks of one packet of 64
/// values, without headers; every time below is in ns.
struct ReadableStar {
    MachineSpec spec = test::readable();
    static constexpr std::int64_t values = 64, wire = 4 * values, propagation = 100, nic = 10, dma = 70;
    static constexpr std::int64_t adding = 4 + 16;   // 64 values through 16 adders, and their pipeline

    explicit ReadableStar(std::uint32_t ranks, std::uint32_t slots = 128, Time latency = 37_ns) {
        spec.ranks = ranks;
        spec.topology = StarParams{};
        spec.network.packet = Bytes{wire};
        spec.network.switches = {.latency = latency, .aggregator = {.adders = 16, .latency = 16, .slots = slots}};
        spec.node.gpu.dma_latency = 70_ns;
    }
    Plan plan(std::uint32_t count) const {
        return {make_schedule(chunks(count), spec.ranks), ElementType::float32, 32};
    }
    Outcome run(Machine& machine, std::uint32_t count) const {
        const auto codec = make_codec(Fp32Params{}, Framing{});
        return machine.run(plan(count), *codec, test::floats(spec.ranks, count * values), Issue::dependency).outcome;
    }
};

Time first_bit(const Outcome& outcome, std::size_t step) {
    return outcome.steps[step].sent - ReadableStar::wire * 1_ns;
}

/// DMA of 64 values and NIC; all chunks one behind the other, each added while the next one comes; the last one's way
/// through switch and adders, and down; NIC and DMA of 64 values.
TEST(InNetworkOnAStar, TakesTheGradientOnceOverALinkAndTheWayOfTheLastChunk) {
    using S = ReadableStar;
    const S star(5);
    Machine machine(star.spec);
    const std::uint32_t count = 40;
    const std::int64_t up = S::dma + S::values + S::nic + count * S::wire + S::propagation + 37 + S::adding;
    const std::int64_t down = S::wire + S::propagation + S::nic + S::values + S::dma;
    EXPECT_EQ(star.run(machine, count).finish, (up + down) * 1_ns);
}

/// Chunks of 4096 values in packets of 16 KiB, which take 16384 ns on a link: each is added while the next one comes.
TEST(InNetworkOnAStar, AddsAChunkInAsManyCyclesAsItsValuesNeedHoweverManyAddersThereAre) {
    using S = ReadableStar;
    constexpr std::int64_t values = 4096, wire = 4 * values, count = 12;
    std::vector<std::unique_ptr<Machine>> machines;
    const std::vector<std::uint32_t> adders{32, 33, 48, 63, 64, 128, 4096, 65536};
    S star(3);
    star.spec.network.packet = Bytes{wire};
    star.spec.network.link.buffer = 1_MiB;
    for (const std::uint32_t n : adders) {
        star.spec.network.switches.aggregator.adders = n;
        machines.push_back(std::make_unique<Machine>(star.spec, "adders" + std::to_string(n)));
    }
    const auto codec = make_codec(Fp32Params{}, Framing{});
    for (std::size_t i = 0; i < adders.size(); ++i) {
        const auto run = machines[i]->run(star.plan(count), *codec, test::floats(3, count * values), Issue::dependency);
        const std::int64_t adding = (values + adders[i] - 1) / adders[i] + 16;
        const std::int64_t up = S::dma + values + S::nic + count * wire + S::propagation + 37 + adding;
        const std::int64_t down = wire + S::propagation + S::nic + values + S::dma;
        EXPECT_EQ(run.outcome.finish, (up + down) * 1_ns) << adders[i];
    }
}

/// Links of 3.6 Tbit/s bring a chunk of 65536 values in 582.542 ns: where its values take more cycles of 1 ns, the
/// adders decide; the limit of infinitely many is that of the links.
TEST(InNetworkOnAStar, IsAsFastAsItsAddersUntilTheLinksDecide) {
    MachineSpec spec;
    spec.topology = StarParams{};
    spec.node.gpu = {100'000_Gbps, 0_ps};
    spec.node.nic.latency = 0_ps;
    spec.network.link = {3600_Gbps, 0_ps, 64_MiB};
    spec.network.packet = 256_KiB;
    spec.network.header = 0_B;
    std::vector<std::unique_ptr<Machine>> machines;
    const std::vector<std::uint32_t> adders{32, 33, 48, 63, 64, 112, 113, 128, 4096, 65536};
    for (const std::uint32_t n : adders) {
        spec.network.switches = {.latency = 0_ps, .aggregator = {.adders = n, .slots = 4096}};
        machines.push_back(std::make_unique<Machine>(spec, "adders" + std::to_string(n)));
    }
    const Plan plan{make_schedule(chunks(64), spec.ranks), ElementType::float32, 32};
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 64 * 65'536, {plan.schedule.chunks, 1}, {});
    const std::int64_t wire = serialization(256_KiB, 3600_Gbps).ps, dma = serialization(256_KiB, 100'000_Gbps).ps;
    for (std::size_t i = 0; i < adders.size(); ++i) {
        SyntheticMessageSource participants(plan, *codec, layout);
        const Time finish = machines[i]->system().run({plan, participants, Issue::dependency, {}}).finish;
        const std::int64_t cycles = (65'536 + adders[i] - 1) / adders[i], adding = cycles * 1000;
        // The first chunk at the switch; the others behind it, at the pace of the adders or of the links; the last
        // down.
        const std::int64_t first = dma + wire, pipeline = 16'000, down = wire + dma;
        const std::int64_t all = first + 63 * std::max(wire, adding) + adding + pipeline + down;
        EXPECT_NEAR(static_cast<double>(finish.ps), static_cast<double>(all), 3000) << adders[i];   // edges, blocks
        if (adders[i] == 65'536) {
            EXPECT_NEAR(static_cast<double>(finish.ps), 37.9e6, 0.05e6);
        }
    }
}

/// A ring sends 2 (n-1)/n of the gradient over each link, the tree all of it once.
TEST(InNetworkOnAStar, CarriesHalfOfTheBytesOfARingInHalfOfItsTime) {
    const ReadableStar star(8);
    Machine machine(star.spec);
    const std::uint32_t count = 560;   // whole packets for each of 8 ranks
    const Outcome tree = star.run(machine, count);
    const Plan rings{make_schedule(RingParams{}, 8), ElementType::float32, 32};
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Outcome ring = machine.run(rings, *codec, test::floats(8, count * star.values)).outcome;
    for (std::size_t link = 0; link < tree.links.size(); ++link) {
        EXPECT_EQ(tree.links[link].wire_bytes, count * std::uint64_t{star.wire});
        EXPECT_EQ(ring.links[link].wire_bytes * 4, tree.links[link].wire_bytes * 7);
    }
    const auto ratio = static_cast<double>(ring.finish.ps) / static_cast<double>(tree.finish.ps);
    EXPECT_NEAR(ratio, 2 * 7.0 / 8, 0.1);   // 14 latencies against one way up and down
}

/// From a chunk's first bit on its way up until its rank knows that its slot is free: 256 ns on the link, 100 to the
/// switch, its latency, 20 to add, 256 for the sum to leave, 100 back. With a latency of 36 ns that is three times what
/// a chunk takes on the link: three slots never hold anybody back. A picosecond more, and the adders start at the next
/// edge of their clock: each chunk waits for the third one before it.
TEST(InNetworkOnAStar, SendsAChunkWhenASlotIsKnownToBeFreeAndNotBefore) {
    const ReadableStar enough(4, 3, 36_ns), late(4, 3, 36_ns + 1_ps), fewer(4, 2, 36_ns);
    Machine first(enough.spec, "enough"), second(late.spec, "late"), third(fewer.spec, "fewer");
    const std::uint32_t count = 7;
    const Outcome held_by_none = enough.run(first, count), held = late.run(second, count),
                  held_more = fewer.run(third, count);
    for (std::uint32_t step = 0; step < 4 * (count - 3); ++step) {   // 4 steps a chunk, one of each rank
        EXPECT_EQ(first_bit(held_by_none, step + 4) - first_bit(held_by_none, step), 256_ns) << step;
        EXPECT_EQ(first_bit(held, step + 3 * 4) - first_bit(held, step), 769_ns) << step;
        EXPECT_EQ(first_bit(held_more, step + 2 * 4) - first_bit(held_more, step), 768_ns) << step;
    }
}

/// The late ranks' chunks are not there, so that the others' would pile up.
TEST(InNetworkOnAStar, NeverHoldsMoreChunksThanItHasSlotsForThoughOneRankIsLate) {
    const ReadableStar star(3, 2);
    Machine machine(star.spec);
    const Plan plan = star.plan(12);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Outcome outcome =
        machine.run(plan, *codec, test::floats(3, 12 * star.values), Issue::dependency, {0_ps, 5_us, 20_us}).outcome;
    std::vector<std::pair<Time, int>> changes;   // of chunks that have come, or whose sum has left
    for (std::uint32_t chunk = 0; chunk < 12; ++chunk) {
        Time came = Fabric::never, left;
        for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i) {
            const Step& step = plan.schedule.steps[i];
            if (step.chunk.value != chunk) continue;
            if (step.op == Op::reduce) came = std::min(came, outcome.steps[i].arrived);
            else left = std::max(left, outcome.steps[i].sent);
        }
        changes.insert(changes.end(), {{came, 1}, {left, -1}});
    }
    std::ranges::sort(changes);
    int held = 0, most = 0;
    for (const auto& [at, change] : changes) most = std::max(most, held += change);
    EXPECT_EQ(most, 2);
}

/// What an engine has to do for the one block of a message.
Time through(Frequency clock, Time ready, Cycles cycles) {
    return Clock(clock).edge(Clock(clock).next_edge(ready) + cycles);
}

/// Two ranks send at once, so that one engine for both would let one wait. The tables' first iteration: all messages
/// bring one inline.
TEST(InNetworkOnAStar, DecodesAtEachPortAddsAndEncodesOnceWhatCannotBeAddedCoded) {
    MachineSpec spec;
    spec.ranks = 2;
    spec.node.engine.clock = 700_MHz;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 2), ElementType::integer, 8);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    auto values = test::codes(2, 1000, 8, 3);
    values[1] = values[0];
    const auto run = machine.run(plan, *codec, values, Issue::dependency);
    const auto& steps = run.outcome.steps;
    const auto block = [&](std::size_t i) { return run.reference.messages[i]->blocks.at(0); };
    const EngineParams& engine = spec.node.engine;
    ASSERT_EQ(steps[0].arrived, steps[1].arrived);
    for (const std::size_t up : {0u, 1u})
        EXPECT_EQ(steps[up].ready, through(engine.clock, steps[up].arrived,
                                           decode_cycles(engine, block(up)) + decode_latency(engine, block(up))));
    const Time added = through(1_GHz, steps[0].ready, (1000 + 63) / 64 + 16);
    const Time encoded = through(engine.clock, added, encode_cycles(engine, block(2)) + engine.encode_latency);
    const Bytes wire = Bytes{run.reference.messages[2]->size()} + spec.network.header;
    ASSERT_LT(wire, spec.network.packet);
    for (const std::size_t down : {2u, 3u})
        EXPECT_EQ(steps[down].sent, encoded + serialization(wire, spec.network.link.bandwidth));
    EXPECT_EQ(run.outcome.sent[2], run.outcome.sent[3]);
}

/// The first rank's engine is the switch's as well; the other's makes no difference to what the switch does.
TEST(InNetworkOnAStar, HasAnEngineAsTheFirstRanks) {
    MachineSpec spec;
    spec.ranks = 2;
    spec.nodes.assign(2, spec.node);
    spec.nodes[0].engine.clock = 700_MHz;
    spec.nodes[1].engine.clock = 300_MHz;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 2), ElementType::integer, 8);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(2, 1000, 8, 3), Issue::dependency);
    const EngineParams& engine = spec.nodes[0].engine;
    for (const std::size_t up : {0u, 1u}) {
        const Block& block = run.reference.messages[up]->blocks.at(0);
        EXPECT_EQ(run.outcome.steps[up].ready, through(engine.clock, run.outcome.steps[up].arrived,
                                                       decode_cycles(engine, block) + decode_latency(engine, block)));
    }
}

TEST(InNetworkOnAStar, AddsPackedIntegersAsTheyComeAndSendsTheSumAsWideAsItIs) {
    MachineSpec spec;
    spec.ranks = 5;
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 5), ElementType::integer, 8);
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(5, 1000, 8, 3), Issue::dependency);
    const auto& steps = run.outcome.steps;
    for (std::size_t up = 0; up < 5; ++up) {
        EXPECT_EQ(steps[up].ready, steps[up].arrived);
        EXPECT_EQ(run.outcome.sent[up].bytes, 1000u);   // 8 bits
    }
    const Time added = through(1_GHz, steps[4].ready, (1000 + 63) / 64 + 16);
    const Bytes wire = Bytes{1000 * 11 / 8} + spec.network.header;   // sums of 5: 8 + 3 bits
    for (std::size_t down = 5; down < 10; ++down) {
        EXPECT_EQ(run.outcome.sent[down].bytes, 1375u);
        EXPECT_EQ(steps[down].sent, added + serialization(wire, spec.network.link.bandwidth));
    }
}

/// Four ranks at two leaves under a spine: what comes down to a leaf leaves it as it came, at once.
TEST(InNetworkOnLeaves, CopiesTheCodedSumToItsChildrenWhenAllOfItHasCome) {
    MachineSpec spec;
    spec.topology = LeafSpineParams{.hosts = 2, .spines = 1};
    Machine machine(spec);
    const Plan plan(schedule_on(chunks(2), machine.topology()), ElementType::integer, 8);
    ASSERT_EQ(plan.schedule.aggregators, 3u);
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(4, 1000, 8, 3), Issue::dependency);
    std::uint32_t copied = 0;
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        if (step.op != Op::copy || step.to.value >= 4) continue;
        const StepId from = plan.schedule.after(StepId{i}).front();
        EXPECT_EQ(run.outcome.steps[i].issued, run.outcome.steps[from.value].arrived);
        const Bytes wire = Bytes{run.outcome.sent[i].bytes} + spec.network.header;
        EXPECT_EQ(run.outcome.steps[i].sent,
                  run.outcome.steps[i].issued + serialization(wire, spec.network.link.bandwidth));
        EXPECT_EQ(run.outcome.sent[i], run.outcome.sent[from.value]);
        ++copied;
    }
    EXPECT_EQ(copied, 8u);
}

TEST(InNetworkOnLeaves, TakesTheTimeThatItTakesWithoutValues) {
    MachineSpec spec;
    spec.ranks = 7;
    spec.topology = LeafSpineParams{.hosts = 3, .spines = 1};
    spec.network.switches.aggregator.slots = 2;
    Machine machine(spec);
    const Plan plan(schedule_on(chunks(50), machine.topology()), ElementType::integer, 8);
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    const auto run = machine.run(plan, *codec, test::codes(7, 3000, 8, 3), Issue::dependency);
    SyntheticMessageSource raw(plan, *codec, run.timed[0].values().layout());
    EXPECT_EQ(machine.system().run({plan, raw, Issue::dependency, {}}).finish, run.outcome.finish);
}

/// Rank 2 stands behind a switch that adds nothing. From the first bit of its chunk until it knows that its only slot
/// is free: a flit of 64 B, 64 ns, and a cable of 100 ns to that switch, its latency of 36; 320 ns with the header on
/// the link, 100 to the switch that adds, its latency, 20 to add, 320 for the sum to leave; 100 back, 36 and 100,
/// without a bit on a wire.
TEST(InNetworkOnAGraph, TellsOfAFreeSlotThroughSwitchesThatAddNothingInTheirLatenciesAlone) {
    ReadableStar graph(3, 1, 36_ns);
    graph.spec.network.header = 64_B;
    GraphParams& tree = graph.spec.topology.params.emplace<GraphParams>();
    tree.switches = 2;
    for (const auto& [from, to] : {std::pair("rank0", "switch0"), std::pair("rank1", "switch0"),
                                   std::pair("rank2", "switch1"), std::pair("switch1", "switch0")}) {
        GraphEdge& edge = tree.edges.emplace_back();
        edge.from = from;
        edge.to = to;
    }
    Machine machine(graph.spec);
    const std::uint32_t count = 5;
    const Outcome outcome = graph.run(machine, count);
    const Plan plan = graph.plan(count);
    std::vector<Time> sent;
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.schedule.steps[i].from == Rank{2}) sent.push_back(outcome.steps[i].sent);
    ASSERT_EQ(sent.size(), count);
    for (std::size_t i = 1; i < count; ++i) EXPECT_EQ(sent[i] - sent[i - 1], 1232_ns) << i;
}

TEST(InNetwork, RefusesAScheduleForOtherSwitches) {
    MachineSpec spec;
    spec.topology = LeafSpineParams{.hosts = 2, .spines = 1};
    Machine machine(spec);
    const Plan plan(make_schedule(chunks(1), 4), ElementType::integer, 8);   // of a star
    const auto codec = make_codec(FixedPointParams{}, spec.node.engine.framing());
    std::string error = "none";
    try {
        machine.run(plan, *codec, test::codes(4, 100, 8, 1), Issue::dependency);
    } catch (const std::invalid_argument& refused) {
        error = refused.what();
    }
    EXPECT_EQ(error, "the schedule has 1 aggregators, and the topology 3; make it with schedule_on()");
}

}   // namespace
}   // namespace oscar::in_network_test
