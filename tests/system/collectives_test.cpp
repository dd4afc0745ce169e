// Collectives on the simulated machine: the bytes and values of the reference, and the times of textbooks.
#include <gtest/gtest.h>

#include <array>

#include "tests/system/support.hpp"

namespace oscar::collectives_test {
namespace {

using test::Machine;
using test::MachineSpec;

class EveryCollective : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(EveryCollective, EndsWithTheValuesAndBytesOfTheReference) {
    MachineSpec spec;
    spec.ranks = GetParam();
    Machine machine(spec);
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        for (const Issue issue : {Issue::lock_step, Issue::dependency})
            for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(Fp32Params{})}) {
                SCOPED_TRACE(std::string(kind.name) + ", " + std::string(choice.name()));
                P params;
                params.slices = 2;
                const bool floats = std::holds_alternative<Fp32Params>(choice.params);
                const Plan plan(make_schedule(params, spec.ranks), floats ? ElementType::float32 : ElementType::integer,
                                floats ? 32 : 8, P{}.operation);
                const auto values = floats ? test::floats(spec.ranks, 3001) : test::codes(spec.ranks, 3001, 8, 1);
                const auto codec = make_codec(choice, spec.node.engine.framing());
                const auto run = machine.run(plan, *codec, values, issue);
                EXPECT_EQ(run.outcome.records, run.reference.records);
                for (std::size_t r = 0; r < run.timed.size(); ++r)
                    EXPECT_TRUE(std::ranges::equal(run.timed[r].values().all(), run.untimed[r].values().all())) << r;
                EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
            }
    });
}

INSTANTIATE_TEST_SUITE_P(Of, EveryCollective, ::testing::Values(2u, 5u, 8u));

/// Uncompressed, without headers, with DMA and adders that take (almost) no time, so that a message of m bytes takes
/// alpha + m beta from one rank to another. Packets of 1000 B at 8 Gbit/s: 1 us each, beta = 1 ns/B.
struct AlphaBeta {
    MachineSpec spec;
    static constexpr std::uint32_t packet = 1000;

    explicit AlphaBeta(std::uint32_t ranks, TopologyKind topology = StarParams{}) {
        spec.ranks = ranks;
        spec.topology = topology;
        spec.network.link = {8_Gbps, 500_ns, 1_MiB};
        spec.network.packet = Bytes{packet};
        spec.network.header = 0_B;
        spec.node.gpu = {100'000_Gbps, 0_ps};
        spec.node.nic = {.latency = 100_ns, .adders = 1u << 20, .clock = 1_GHz};
    }
    /// NIC out and in, two cables, the switch with the first flit of 64 B; or one cable.
    double alpha() const {
        const bool star = std::holds_alternative<StarParams>(spec.topology.params);
        return 100 + 100 + (star ? 2 * 500 + 300 + 64 : 500);
    }
    /// In ns, of `bytes` of gradient, a multiple of 4.
    double time(const Schedule& schedule, Issue issue, std::uint32_t bytes) const {
        Machine machine(spec);
        const Plan plan(schedule, ElementType::float32, 32);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        const auto run = machine.run(plan, *codec, test::floats(spec.ranks, bytes / 4), issue);
        return static_cast<double>(run.outcome.duration().ps) / 1000;
    }
    /// What DMA of a packet (1 ns), the adder's two cycles and waiting for its edge add to a timestep at most.
    static double edges(const Schedule& schedule) { return 5.0 * schedule.timesteps(); }
};

constexpr std::uint32_t bytes = 480'000;   // S beta = 480'000 ns; chunks of whole packets for all below
constexpr double s_beta = bytes;

TEST(AlphaBetaModel, GivesTheRing) {
    const AlphaBeta model(8);
    const Schedule schedule = make_schedule(RingParams{}, 8);
    const double expected = 2 * 7 * model.alpha() + 2 * 7.0 / 8 * s_beta;
    EXPECT_NEAR(model.time(schedule, Issue::lock_step, bytes), expected, AlphaBeta::edges(schedule));
}

/// In round i a participant sends half of what it has: n/2, n/4, ... chunks, together (n-1)/n of the gradient, and the
/// same back.
TEST(AlphaBetaModel, GivesHalvingAndDoubling) {
    const AlphaBeta model(8);
    const Schedule schedule = make_schedule(HalvingDoublingParams{}, 8);
    const double expected = 2 * 3 * model.alpha() + 2 * 7.0 / 8 * s_beta;
    EXPECT_NEAR(model.time(schedule, Issue::lock_step, bytes), expected, AlphaBeta::edges(schedule));
}

/// 3 rows of 4: in rows 3 timesteps of S/4 each, in columns 2 of S/12, and back.
TEST(AlphaBetaModel, GivesTheGrid) {
    const AlphaBeta model(12);
    const Schedule schedule = make_schedule(Ring2dParams{{}, 3}, 12);
    const double expected = 2 * (3 + 2) * model.alpha() + (2 * 3.0 / 4 + 2 * 2.0 / 12) * s_beta;
    EXPECT_NEAR(model.time(schedule, Issue::lock_step, bytes), expected, AlphaBeta::edges(schedule));
}

/// The uplink serialises 7 messages of S/8 in each timestep. Packets of different senders meet at a downlink: the last
/// one can wait for one of each of the 6 other senders, and no time is saved, for every link carries as much.
TEST(AlphaBetaModel, GivesDirectExchangeButForPacketsThatMeet) {
    const AlphaBeta model(8);
    const Schedule schedule = make_schedule(DirectParams{}, 8);
    const double expected = 2 * model.alpha() + 2 * 7.0 / 8 * s_beta;
    const double simulated = model.time(schedule, Issue::lock_step, bytes);
    EXPECT_GE(simulated, expected);
    EXPECT_LE(simulated, expected + 2 * 6 * AlphaBeta::packet + AlphaBeta::edges(schedule));
}

/// Islands of 4 of 12 ranks: 3 messages of S/4 to the others in it, 2 timesteps of S/12 across, and back.
TEST(AlphaBetaModel, GivesIslandsButForPacketsThatMeetInThem) {
    const AlphaBeta model(12);
    const Schedule schedule = make_schedule(HierarchicalParams{{}, 4}, 12);
    const double expected = (2 + 2 * 2) * model.alpha() + (2 * 3.0 / 4 + 2 * 2.0 / 12) * s_beta;
    const double simulated = model.time(schedule, Issue::lock_step, bytes);
    EXPECT_GE(simulated, expected);
    EXPECT_LE(simulated, expected + 2 * 2 * AlphaBeta::packet + AlphaBeta::edges(schedule));
}

/// Each direction carries half, on cables of its own: the same alphas and half the bytes of a ring. What comes from
/// both sides at once shares adders and DMA.
TEST(AlphaBetaModel, GivesTwoRingsOnCablesHalfOfTheBytesOfOne) {
    const AlphaBeta model(6, CableRingParams{});
    const Schedule both = make_schedule(BidirectionalRingParams{}, 6);
    const double expected = 2 * 5 * model.alpha() + 5.0 / 6 * s_beta;
    EXPECT_NEAR(model.time(both, Issue::lock_step, bytes), expected, 2 * AlphaBeta::edges(both));
}

/// A rank sends S/2 up and twice S/2 down where it is an inner node, and S/2 up where it is a leaf: 2 S at most, and
/// some rank does. The rest is the way of the first slice up and down, of 2 height edges; on each it may wait for a
/// slice of the other tree, and for one of the other child at the switch.
TEST(AlphaBetaModel, GivesTheDoubleTreeTwiceTheBytesAndTwiceItsHeight) {
    const AlphaBeta model(7);
    constexpr std::uint32_t slices = 40;
    const Schedule schedule = make_schedule(DoubleBinaryTreeParams{{Issue::dependency, slices}}, 7);
    const double simulated = model.time(schedule, Issue::dependency, bytes);
    const double slice = s_beta / 2 / slices;
    EXPECT_GE(simulated, 2 * s_beta);
    EXPECT_LE(simulated, 2 * s_beta + 2 * 2 * (model.alpha() + 3 * slice) + AlphaBeta::edges(schedule));
}

/// A barrier in which, in round k, rank r tells rank r + 2^k mod n that it has heard of all of round k-1. A chunk a
/// round; messages are empty.
Schedule dissemination(std::uint32_t ranks) {
    Schedule schedule{ranks, 0, {}};
    for (std::uint32_t away = 1; away < ranks; away *= 2, ++schedule.chunks)
        for (std::uint32_t r = 0; r < ranks; ++r) {
            JoinId after;
            if (schedule.chunks > 0)   // the step of the round before that came to r
                after = schedule.joins.add(
                    std::array{StepId{(schedule.chunks - 1) * ranks + (r + ranks - away / 2) % ranks}});
            schedule.steps.push_back({Rank{r}, Rank{(r + away) % ranks}, ChunkId{schedule.chunks}, Op::copy,
                                      Timestep{schedule.chunks}, after});
        }
    return schedule;
}

/// LogGOP with L = 2500 ns and o = 1500 ns: a round of empty messages takes o + L + o, and there are log2 16 of them:
/// 4 * 5500 = 22000 ns at every rank. Here o is the latency of a NIC, out and in, and L is two cables; bytes, and with
/// them G, O and the switch's first flit, are nothing. (Alexandrov et al., JPDC 1997; Hoefler et al., HPDC 2010.)
TEST(LogGop, DisseminationOf16RanksTakes22Microseconds) {
    AlphaBeta model(16);
    model.spec.network.link.propagation = 1250_ns;
    model.spec.network.switches.latency = 0_ps;
    model.spec.node.nic.latency = 1500_ns;
    Machine machine(model.spec);
    const Plan plan(dissemination(16), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        const auto run = machine.run(plan, *codec, std::vector<std::vector<Symbol>>(16), issue);
        for (std::uint32_t r = 0; r < 16; ++r) EXPECT_EQ(run.outcome.steps[3 * 16 + r].ready, 22'000_ns) << r;
        EXPECT_EQ(run.outcome.finish, 22'000_ns);
    }
}

}   // namespace
}   // namespace oscar::collectives_test
