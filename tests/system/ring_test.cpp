#include <gmock/gmock.h>

#include <cmath>

#include "models/core/quantity.hpp"

#include "tests/system/support.hpp"

namespace oscar::ring_test {
namespace {

using test::Machine;
using test::MachineSpec;

struct RingCase {
    std::uint32_t ranks;
    TopologyKind topology;
    Bandwidth bandwidth;
    Bytes packet;
};

void PrintTo(const RingCase& c, std::ostream* out) {
    *out << c.ranks << " ranks, " << c.topology.name() << ", " << to_text(c.bandwidth) << ", " << to_text(c.packet);
}

class UncompressedRing : public ::testing::TestWithParam<RingCase> {};

/// 2 (n-1) (alpha + beta S/n), written out from the parameters and from nothing else of the program.
Time textbook(const RingCase& c, const MachineSpec& setup, std::uint64_t chunk_bytes) {
    const bool star = std::holds_alternative<StarParams>(c.topology.params);
    const std::uint64_t packets = (chunk_bytes + c.packet.count - 1) / c.packet.count;
    const double beta_s = 8000.0 * static_cast<double>(chunk_bytes + packets * setup.network.header.count) /
                          static_cast<double>(c.bandwidth.mbps);   // ns
    const double flit = 8000.0 * 64 / static_cast<double>(c.bandwidth.mbps);
    const double alpha = 100 + 100 + (star ? 2 * 500 + 300 + flit : 500);   // NIC out and in; cables, switch
    // gamma: in each reduce-scatter step the last packet's values go through 64 adders, one cycle of latency.
    const std::uint64_t last = (chunk_bytes - (packets - 1) * c.packet.count) / 4;
    const double gamma = static_cast<double>((last + 63) / 64 + 1);
    const double dma = 2 * 700 + 8000.0 * static_cast<double>(std::min(chunk_bytes, c.packet.count)) /
                                     504'000;   // first read, last write
    return {static_cast<std::int64_t>(1000 * (dma + 2.0 * (c.ranks - 1) * (alpha + beta_s) + (c.ranks - 1) * gamma))};
}

TEST_P(UncompressedRing, IsWithinOnePacketTimeOfItsClosedForms) {
    const RingCase& c = GetParam();
    MachineSpec setup;
    setup.ranks = c.ranks;
    setup.topology = c.topology;
    setup.network.link.bandwidth = c.bandwidth;
    setup.network.packet = c.packet;
    Machine machine(setup);
    const Plan plan = test::fp32_plan(c.ranks);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Time packet = serialization(c.packet + setup.network.header, c.bandwidth);
    for (const std::uint32_t chunk_values : {1u, 500u, 4000u, 20'000u})
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            SCOPED_TRACE(::testing::Message() << chunk_values << " values a chunk, " << to_text(issue));
            const auto run = machine.run(plan, *codec, test::floats(c.ranks, chunk_values * c.ranks), issue);
            const Time simulated = run.outcome.duration();
            EXPECT_LE(std::abs((simulated - machine.closed_form_of(plan, *codec, run.reference, issue)).ps), packet.ps);
            EXPECT_LE(std::abs((simulated - textbook(c, setup, 4 * chunk_values)).ps), packet.ps);
            test::expect_same(run);
        }
}

INSTANTIATE_TEST_SUITE_P(
    Over, UncompressedRing,
    ::testing::Values(RingCase{2, StarParams{}, 100_Gbps, 4_KiB}, RingCase{8, StarParams{}, 25_Gbps, 4_KiB},
                      RingCase{8, StarParams{}, 400_Gbps, 1_KiB}, RingCase{3, CableRingParams{}, 100_Gbps, 4_KiB},
                      RingCase{16, CableRingParams{}, 200_Gbps, 8_KiB}, RingCase{33, StarParams{}, 100_Gbps, 4_KiB}));

class EveryCodec : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(EveryCodec, ArrivesAsTheReferenceSaysOnAnyIssueOrderWithAnySlices) {
    const std::uint32_t ranks = GetParam();
    MachineSpec setup;
    setup.ranks = ranks;
    setup.network.packet = 256_B;   // many packets a message
    Machine machine(setup);
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto codec = make_codec(P{}, setup.node.engine.framing());
        for (const std::uint32_t slices : {1u, 3u})
            for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
                SCOPED_TRACE(::testing::Message() << kind.name << ", " << slices << " slices, " << to_text(issue));
                const bool fp32 = std::same_as<P, Fp32Params>;
                const Plan plan = fp32 ? test::fp32_plan(ranks, slices) : test::int8_plan(ranks, slices);
                test::expect_same(machine.run(
                    plan, *codec, fp32 ? test::floats(ranks, 5000) : test::codes(ranks, 5000, 8, 1), issue));
            }
    });
}

TEST_P(EveryCodec, IsOnTimeAgainstTheMaxPlusRecursion) {
    const std::uint32_t ranks = GetParam();
    MachineSpec setup;
    setup.ranks = ranks;
    Machine machine(setup);
    const Time packet = serialization(setup.network.packet + setup.network.header, setup.network.link.bandwidth);
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto codec = make_codec(P{}, setup.node.engine.framing());
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            SCOPED_TRACE(::testing::Message() << kind.name << ", " << to_text(issue));
            const bool fp32 = std::same_as<P, Fp32Params>;
            const Plan plan = fp32 ? test::fp32_plan(ranks) : test::int8_plan(ranks);
            const auto run =
                machine.run(plan, *codec, fp32 ? test::floats(ranks, 30'000) : test::codes(ranks, 30'000, 8, 2), issue);
            EXPECT_LE(
                std::abs((run.outcome.duration() - machine.closed_form_of(plan, *codec, run.reference, issue)).ps),
                packet.ps);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Ranks, EveryCodec, ::testing::Values(2u, 4u, 9u));

TEST(System, GivesTheSameTimesWhateverRanBefore) {
    MachineSpec setup;
    setup.node.engine.clock = {1'300'000};   // 1.3 GHz: edges that are no whole nanoseconds
    Machine machine(setup);
    const auto codec = make_codec(AscParams{}, setup.node.engine.framing());
    const Plan plan = test::int8_plan(4);
    const auto first = machine.run(plan, *codec, test::codes(4, 4000, 8, 1));
    machine.run(plan, *codec, test::codes(4, 777, 8, 2));
    const auto again = machine.run(plan, *codec, test::codes(4, 4000, 8, 1));
    EXPECT_EQ(first.outcome.duration(), again.outcome.duration());
    for (std::size_t i = 0; i < first.outcome.steps.size(); ++i)
        EXPECT_EQ(first.outcome.steps[i].arrived, again.outcome.steps[i].arrived);
}

TEST(System, KeepsItsValuesUnderRandomStartsAndMeasuresFromTheFirst) {
    Machine machine(MachineSpec{});
    const auto codec = make_codec(AscParams{}, EngineParams{}.framing());
    const Plan plan = test::int8_plan(4);
    std::mt19937_64 random(1);
    const Time together = machine.run(plan, *codec, test::codes(4, 4000, 8, 3)).outcome.duration();
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        for (int i = 0; i < 10; ++i) {
            std::vector<Time> start;
            for (int r = 0; r < 4; ++r) start.push_back({static_cast<std::int64_t>(random() % 20'000'000)});
            const auto run = machine.run(plan, *codec, test::codes(4, 4000, 8, 3), issue, start);
            test::expect_same(run);
            EXPECT_EQ(run.outcome.first_start, *std::ranges::min_element(start));
            if (issue == Issue::lock_step) {
                EXPECT_GE(run.outcome.duration(), together);
            }
        }
}

TEST(System, OneRankThatStartsLaterDelaysALockStepAllReduceByAsMuch) {
    Machine machine(MachineSpec{});
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan = test::fp32_plan(4);
    const auto together = machine.run(plan, *codec, test::floats(4, 8000));
    const auto late = machine.run(plan, *codec, test::floats(4, 8000), Issue::lock_step, {0_ns, 0_ns, 5_us, 0_ns});
    EXPECT_EQ((late.outcome.duration() - together.outcome.duration()).ps, (5_us).ps);
}

TEST(System, LockStepIsNeverFasterThanDependencyDriven) {
    Machine machine(MachineSpec{});
    const auto codec = make_codec(AscParams{}, EngineParams{}.framing());
    const Plan plan = test::int8_plan(4);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const ChunkLayout uneven = make_layout(RoundRobinParams{1500}, 10'000, {4, 1}, {});   // 3000, 3000, 2500, 1500
        const auto values = test::codes(4, 10'000, 8, seed);
        EXPECT_GE(machine.run(plan, *codec, values, Issue::lock_step, {}, &uneven).outcome.duration(),
                  machine.run(plan, *codec, values, Issue::dependency, {}, &uneven).outcome.duration());
    }
}

TEST(System, SendsPacketsWhileLaterBlocksAreStillEncoded) {
    MachineSpec setup;
    setup.node.engine.lanes = 1;
    setup.node.engine.lane_values = 256;
    setup.network.packet = 128_B;   // less than a block
    Machine machine(setup);
    const auto codec = make_codec(AscParams{}, setup.node.engine.framing());
    const auto run = machine.run(test::int8_plan(4), *codec, test::codes(4, 16'000, 8, 1));
    // Encoding and decoding of a chunk overlap but for a block: 3 times 4000 ns fewer than one after the other.
    EXPECT_LE(run.outcome.duration(), (3 * 4000 + 4000 + 3 * 4000) * 1_ns + 2 * 3 * 2200_ns);
    test::expect_same(run);
}

TEST(System, WithRoomForOnePacketIsSlowerButRight) {
    MachineSpec setup;
    setup.network.link.buffer = setup.network.packet + setup.network.header;
    Machine machine(setup);
    const Plan plan = test::fp32_plan(4);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(plan, *codec, test::floats(4, 40'000));
    test::expect_same(run);
    EXPECT_GT(run.outcome.duration(), machine.closed_form_of(plan, *codec, run.reference, Issue::lock_step) + 1_us);
}

TEST(System, ThatCannotFinishNamesTheBlockedFlowAndItsMissingCredit) {
    MachineSpec setup;
    setup.network.link.buffer = setup.network.packet + setup.network.header - 1_B;
    Machine machine(setup);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    try {
        machine.run(test::fp32_plan(4), *codec, test::floats(4, 40'000));
        FAIL() << "no deadlock";
    } catch (const Deadlock& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr(
                                      "flow rank0->rank1 (step 0, packet 0) waits on link rank0->switch0 for 4178 B of "
                                      "credit: 4177 B free"));
    }
}

TEST(System, WithOneLaneIsBoundByTheEngine) {
    MachineSpec setup;
    setup.node.engine.lanes = 1;
    setup.node.engine.lane_values = 256;
    Machine machine(setup);
    const auto codec = make_codec(AscParams{}, setup.node.engine.framing());
    const auto run = machine.run(test::int8_plan(4), *codec, test::codes(4, 16'000, 8, 1));
    // One value per ns. A chunk of 4000 is one packet, so that it is encoded, sent, decoded: 3 times on reduce-scatter.
    // Then the owner encodes its sum, and three sums are decoded while others still travel.
    const Time coding = (3 * (4000 + 4000) + 4000 + 3 * 4000) * 1_ns;
    EXPECT_GE(run.outcome.duration(), coding);
    EXPECT_LE(run.outcome.duration(), coding + 2 * 3 * 1600_ns);   // and the wire, at most, 6 times
    test::expect_same(run);
}

TEST(System, CountsEveryFlitOnEveryLink) {
    Machine machine(MachineSpec{});
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto before = machine.system().cost();
    machine.run(test::fp32_plan(4), *codec, test::floats(4, 4 * 1024));   // chunks of 4096 B: one packet of 4178 B
    const std::uint64_t flits = (4178 + 63) / 64;
    EXPECT_EQ(machine.system().cost().flit_hops - before.flit_hops, 2 * 3 * 4 * flits * 2);   // steps, links on the way
    EXPECT_GT(machine.system().cost().events, before.events);
}

/// ASC at the receivers, but messages damaged on their way out of rank 0.
class Damaging : public Codec {
public:
    explicit Damaging(const Codec& codec) : codec_(codec) {}
    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& table) const override {
        Encoded message = codec_.encode(symbols, context, table);
        if (context.timestep.value == 1) message.bytes[1] ^= std::byte{1};   // the epoch
        return message;
    }
    std::vector<Block> decode(std::span<const std::byte> b, const Context& c, const Tables& t,
                              std::span<Symbol> out) const override {
        return codec_.decode(b, c, t, out);
    }
    Bytes bound(std::size_t symbols, std::uint32_t width) const override { return codec_.bound(symbols, width); }
    std::uint32_t cost(Symbol s, std::uint32_t width, const Table* table) const override {
        return codec_.cost(s, width, table);
    }

private:
    const Codec& codec_;
};

TEST(System, ReportsBytesThatArriveDamaged) {
    Machine machine(MachineSpec{});
    const auto asc = make_codec(AscParams{}, EngineParams{}.framing());
    const Damaging damaging(*asc);
    const Plan plan = test::int8_plan(4);
    auto rank_states = test::make_endpoints(plan, damaging);
    test::begin(rank_states, test::codes(4, 1000, 8, 1), plan);
    LiveMessageSource participants(plan, rank_states, damaging);
    EXPECT_THROW(machine.system().run({plan, participants, Issue::lock_step, {}}), CorruptStream);
}

}   // namespace
}   // namespace oscar::ring_test
