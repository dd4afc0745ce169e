// Jobs on a network that other hosts use as well. Seeds are printed.
#include "models/machine/background.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/network/event/packet_fabric.hpp"
#include "tests/machine/background_support.hpp"
#include "tests/machine/same_outcome.hpp"

namespace oscar::background_test {
namespace {

using test::beside_random_background;
using test::expect_same;
using test::Machine;
using test::MachineSpec;
using test::RandomJob;
using ::testing::HasSubstr;

/// A star of ranks whose cables nothing else slows down: packets of 1 KiB take 84 ns.
MachineSpec star(std::uint32_t ranks, std::optional<BackgroundParams> background = {}) {
    MachineSpec spec;
    spec.ranks = ranks;
    spec.network.packet = 1000_B;
    spec.network.header = 50_B;
    spec.network.background = background;
    return spec;
}

BackgroundParams traffic(TrafficPattern pattern, double load, Bytes message, std::uint64_t seed = 1) {
    BackgroundParams params;
    params.pattern = pattern;
    params.load = load;
    params.message = message;
    params.seed = seed;
    return params;
}

/// A ring of fp32 values without values, whose ranks start at given times.
struct RingJob {
    explicit RingJob(std::uint32_t ranks, std::uint32_t elements)
        : plan(test::fp32_plan(ranks)), layout(make_layout(EqualParams{}, elements, {ranks, 1}, {})) {}
    Outcome run(Machine& machine, std::vector<Time> start = {}, std::uint64_t draw = 0) const {
        SyntheticMessageSource participants(plan, *codec, layout);
        return machine.system().run({plan, participants, Issue::lock_step, std::move(start), {}, draw});
    }
    std::unique_ptr<Codec> codec = make_codec(Fp32Params{}, Framing{});
    Plan plan;
    ChunkLayout layout;
};

/// Lasts at least this long, nearly all of it without a packet of the job: its last rank starts late.
Outcome wait_beside(Machine& machine, Time duration, std::uint64_t draw = 0) {
    const std::uint32_t ranks = machine.topology().ranks;
    std::vector<Time> start(ranks, duration);
    start.front() = {};
    return RingJob(ranks, ranks).run(machine, start, draw);
}

class BesideBackground : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(BesideBackground, NothingChangesAtALoadOfNothing) {
    RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine without(job.spec, "without");
    job.spec.network.background = traffic(UniformTrafficParams{}, 0, 64_KiB);
    Machine with(job.spec, "with");
    const Outcome a = job.run_on(without).outcome, b = job.run_on(with).outcome;
    expect_same(a, b);
    EXPECT_FALSE(a.background || b.background);
}

TEST_P(BesideBackground, SumsAndBytesAreThoseOfTheJobAloneAndTimesComeAgain) {
    RandomJob job(GetParam());
    job.spec = beside_random_background(job.spec, GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine machine(job.spec, "beside");
    job.spec.network.background.reset();
    Machine alone(job.spec, "alone");
    const auto run = job.run_on(machine);
    const auto sum = exact_sum(job.values);
    for (const RankState& rank_state : run.timed) EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
    EXPECT_EQ(run.outcome.records, run.reference.records);
    EXPECT_EQ(run.outcome.path.total_ps(), run.outcome.duration().ps);
    expect_same(run.outcome, job.run_on(machine).outcome);

    const Outcome quiet = job.run_on(alone).outcome;
    EXPECT_EQ(run.outcome.wire_bytes, quiet.wire_bytes);
    for (const EdgeId e : quiet.links.indices()) {   // of the job's packets alone
        EXPECT_EQ(run.outcome.links[e].packets, quiet.links[e].packets);
        EXPECT_EQ(run.outcome.links[e].wire_bytes, quiet.links[e].wire_bytes);
        EXPECT_EQ(test::total(run.outcome.links[e].busy), test::total(quiet.links[e].busy));
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, BesideBackground, ::testing::Range<std::uint64_t>(0, 30));

TEST(Background, IsOtherTrafficWithAnotherSeedAndInAnotherIteration) {
    Machine machine(star(4, traffic(UniformTrafficParams{}, 0.5, 4_KiB, 1)), "one");
    Machine other(star(4, traffic(UniformTrafficParams{}, 0.5, 4_KiB, 2)), "other");
    const auto completions = [](Machine& m, std::uint64_t draw) {
        return wait_beside(m, 100_us, draw).background->completions;
    };
    EXPECT_EQ(completions(machine, 3), completions(machine, 3));
    EXPECT_NE(completions(machine, 3), completions(machine, 4));
    EXPECT_NE(completions(machine, 3), completions(other, 3));
}

class TheLoad : public ::testing::TestWithParam<double> {};

TEST_P(TheLoad, IsOfferedAsItIsAskedFor) {
    const double load = GetParam();
    Machine machine(star(8, traffic(PermutationTrafficParams{}, load, 5000_B)));
    for (std::uint64_t draw = 1; draw <= 8; ++draw) {
        const BackgroundUse use = *wait_beside(machine, 2'000_us, draw).background;
        // 5 packets of 1050 B at 100 Gbit/s: 420 ns. Messages are as many as Poisson's of this mean.
        const double mean = load * static_cast<double>(use.duration.ps) * 8 / 420'000;
        EXPECT_NEAR(static_cast<double>(use.offered_messages), mean, 3 * std::sqrt(mean));
        EXPECT_EQ(use.needed, static_cast<std::int64_t>(use.offered_messages) * 420_ns);
        EXPECT_EQ(use.sending, 8 * use.duration);
        EXPECT_EQ(use.offered_bytes, 5000 * use.offered_messages);
        EXPECT_EQ(use.delivered_bytes, 5000 * use.completions.size());
        EXPECT_LE(use.completions.size(), use.offered_messages);
    }
}

INSTANTIATE_TEST_SUITE_P(Background, TheLoad, ::testing::Values(0.05, 0.3, 0.9));

TEST(Background, WaitsAsCustomersOfOneServerDo) {
    // Messages of one packet of 84 ns, sent one by one by each sender: M/D/1. On a permutation nobody shares the cable
    // behind the switch, where each is passed on as it comes. Mean wait: load * 84 ns / (2 (1 - load)) (Pollaczek and
    // Khinchine).
    const MachineSpec spec = star(4, traffic(PermutationTrafficParams{}, 0.5, 1000_B));
    Machine machine(spec);
    const Time alone = test::fastest(1000, 2, spec) - spec.node.nic.latency;   // it comes to the port, not to a NIC
    std::vector<double> waits;
    for (std::uint64_t draw = 1; draw <= 16; ++draw) {
        const auto completions = wait_beside(machine, 400_us, draw).background->completions;
        EXPECT_GE(*std::ranges::min_element(completions), alone);
        double sum = 0;
        for (const Time time : completions) sum += static_cast<double>((time - alone).ps);
        waits.push_back(sum / static_cast<double>(completions.size()));
    }
    EXPECT_EQ(*std::ranges::min_element(wait_beside(machine, 400_us).background->completions), alone);
    const double mean = std::accumulate(waits.begin(), waits.end(), 0.0) / 16;
    double squares = 0;
    for (const double wait : waits) squares += (wait - mean) * (wait - mean);
    EXPECT_NEAR(mean, 0.5 * 84'000 / (2 * (1 - 0.5)), 3 * std::sqrt(squares / 15 / 16));
}

TEST(Background, WithPacketsAlwaysInItsQueueDoublesTheTimeOfALinkThatItTakesTurnsOn) {
    // Rank 0 sends 2 messages of 100,000 B, packets of 84 ns, when the queue beside it has been filled for long.
    const BackgroundParams params = traffic(IncastTrafficParams{1}, 0.999, 1'000'000_B, 3);
    Machine busy(star(2, params), "busy"), idle(star(2), "idle");
    const RingJob job(2, 50'000);
    const std::vector<Time> start{2'000_us, {}};
    const Outcome with = job.run(busy, start), without = job.run(idle, start);
    const auto sent = [](const Outcome& outcome) { return outcome.ranks[0].wire; };
    ASSERT_GT(with.background->offered_messages, with.background->completions.size() + 1) << "choose another seed";
    EXPECT_EQ(test::total(sent(with)), 200 * 84_ns);
    EXPECT_EQ(test::total(sent(without)), 200 * 84_ns);
    ASSERT_EQ(sent(with).size(), 200u);
    for (std::size_t i = 1; i < 200; ++i) {   // a message of 100 packets each
        if (i == 100) continue;
        EXPECT_EQ(sent(with)[i].begin - sent(with)[i - 1].begin, 2 * 84_ns) << i;
    }
    EXPECT_EQ(sent(without).size(), 2u);
}

TEST(Background, MakesTheMeanTimeOfAJobLongerTheMoreThereIsOfIt) {
    std::vector<double> means;
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    const std::vector<double> loads{0, 0.2, 0.4, 0.6, 0.8};
    for (const double load : loads)
        machines.push_back(std::make_unique<Machine>(star(8, traffic(UniformTrafficParams{}, load, 4000_B)),
                                                     "m" + std::to_string(machines.size())));
    const RingJob job(8, 100'000);
    for (const auto& machine : machines) {
        double sum = 0;
        for (std::uint64_t draw = 1; draw <= 8; ++draw)
            sum += static_cast<double>(job.run(*machine, {}, draw).duration().ps);
        means.push_back(sum / 8);
    }
    for (std::size_t i = 1; i < means.size(); ++i) EXPECT_GT(means[i], means[i - 1]) << loads[i];
}

struct Network {
    const char* name;
    FlowControl control;
    Reliability reliability;
    CongestionControl congestion;
    double loss = 0;
    RoutingParams routing = {};
};

class OnANetwork : public ::testing::TestWithParam<Network> {};

TEST_P(OnANetwork, JobsEndWithTheirSumsBesideBackgroundTraffic) {
    const Network& network = GetParam();
    MachineSpec spec = star(6, traffic(UniformTrafficParams{}, 0.6, 6000_B));
    spec.topology = LeafSpineParams{};
    spec.network.flow_control = network.control;
    spec.network.reliability = network.reliability;
    spec.network.congestion = network.congestion;
    spec.network.loss.rate = network.loss;
    spec.network.routing = network.routing;
    spec.network.link.propagation = 100_ns;
    Machine machine(spec);
    const Plan plan = test::int8_plan(6);
    const auto codec = test::fixed_point_codec(spec);
    const auto values = test::codes(6, 60'000, 8, 1);
    const auto run = machine.run(plan, *codec, values), again = machine.run(plan, *codec, values);
    test::expect_same(run);
    expect_same(run.outcome, again.outcome);
    EXPECT_GT(run.outcome.background->completions.size(), 0u);
    for (std::size_t i = 0; i < run.outcome.records.size(); ++i) {
        std::uint64_t bytes = 0;
        for (const Bytes wire : test::wires_of(run.outcome.records[i].bytes, spec.network)) bytes += wire.count;
        EXPECT_EQ(run.outcome.wire_bytes[i], bytes) << "step " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Background, OnANetwork,
    ::testing::Values(Network{"spray", {}, {}, {}, 0, SprayParams{}}, Network{"pfc", PfcParams{}, {}, {}},
                      Network{"dcqcn", PfcParams{}, {}, DcqcnParams{.mark_from = 2000_B, .mark_all_from = 9000_B}},
                      Network{"lossy", LossyParams{}, GoBackNParams{}, {}},
                      Network{"damaged", {}, SelectiveParams{}, {}, 0.01},
                      Network{"replayed", {}, LinkRetryParams{}, {}, 0.01}),
    [](const auto& tested) { return tested.param.name; });

TEST(Background, LoadsOnlyTheLinksOfThoseWhoSend) {
    BackgroundParams params = traffic(IncastTrafficParams{3}, 0.4, 2000_B);
    params.nodes = {"0", "5-6"};
    Machine machine(star(8, params));
    const auto busy = wait_beside(machine, 500_us).background->busy;
    std::set<std::string> names;
    for (const auto& [edge, time] : busy) names.insert(machine.topology().edge_name(edge));
    EXPECT_EQ(names, (std::set<std::string>{"rank0->switch0", "rank5->switch0", "rank6->switch0", "switch0->rank3"}));
}

TEST(Background, ThatNoLinkCanCarryDoesNotKeepAJobFromItsEnd) {
    Machine machine(star(8, traffic(IncastTrafficParams{0}, 0.9, 64_KiB)));   // 6.3 times what the link can
    const Outcome outcome = RingJob(8, 100'000).run(machine);
    const BackgroundUse& use = *outcome.background;
    EXPECT_LT(use.delivered_bytes, use.offered_bytes / 2);
    for (const auto& [edge, time] : use.busy) EXPECT_LE(time, use.duration);
    EXPECT_EQ(use.duration, outcome.duration());
}

/// What a job beside `params` says where a link has room for 1000 B.
std::string deadlock_beside(const BackgroundParams& params) {
    MachineSpec spec = star(4, params);
    spec.network.link.buffer = 1000_B;
    spec.network.stall = 10_us;
    Machine machine(spec);
    try {
        RingJob(4, 10'000).run(machine);
    } catch (const Deadlock& deadlock) {
        return deadlock.what();
    }
    return "no deadlock";
}

TEST(Background, DoesNotHideThatAJobCannotFinish) {
    // There is room for its own packets, not for the job's.
    const std::string said = deadlock_beside(traffic(UniformTrafficParams{}, 0.5, 500_B));
    EXPECT_THAT(said, HasSubstr("for 1050 B of credit"));
    EXPECT_THAT(said, HasSubstr("raise network.link.buffer"));
}

TEST(Background, NamesItsOwnPacketsThatWaitForEver) {
    EXPECT_THAT(deadlock_beside(traffic(IncastTrafficParams{1}, 0.5, 5000_B)),
                HasSubstr("->rank1 (background, packet 0)"));
}

TEST(Background, IsNotGivenUpInSilence) {
    MachineSpec spec = star(4, traffic(UniformTrafficParams{}, 0.5, 500_B));
    spec.network.stall = 1_ns;   // less than a packet takes to its switch
    Machine machine(spec);
    try {
        RingJob(4, 10'000).run(machine);
        FAIL() << "times beside less traffic than was asked for";
    } catch (const Livelock& livelock) {
        EXPECT_THAT(livelock.what(), HasSubstr("network.stall: 1ns, beside background traffic; raise network.stall"));
    }
}

TEST(Background, IsNotGivenUpWhileAJobWaitsForARankThatStartsLate) {
    MachineSpec spec = star(2, traffic(UniformTrafficParams{}, 0.1, 5000_B));
    spec.network.stall = 1_us;
    Machine machine(spec);
    EXPECT_GT(wait_beside(machine, 500_us).duration(), 500_us);
}

TEST(Background, OfAJobWithoutStepsIsNone) {
    Machine machine(star(4, traffic(UniformTrafficParams{}, 0.5, 500_B)));
    Schedule none;
    none.ranks = 4;
    const Plan plan(none, ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    SyntheticMessageSource participants(plan, *codec, make_layout(EqualParams{}, 4, {4, 1}, {}));
    EXPECT_EQ(machine.system().run({plan, participants, Issue::lock_step, {}}).background->offered_messages, 0u);
}

TEST(Background, LastsFromTheFirstStartOfARankToTheEndOfTheJob) {
    Machine machine(star(4, traffic(UniformTrafficParams{}, 0.1, 4_KiB)));
    const Outcome outcome = RingJob(4, 4096).run(machine, {7_us, 5_us, 6_us, 8_us});
    EXPECT_EQ(outcome.first_start, 5_us);
    EXPECT_EQ(outcome.background->duration, outcome.duration());
}

/// Background traffic of two ranks at a switch, which end at a time that is set; nothing else is there.
struct OfTwoRanks : FabricClient {
    static NetworkParams fast() {
        NetworkParams network = MachineSpec::at_100_gbps();
        network.topology = StarParams{};
        return network;
    }
    NetworkParams network = fast();
    Topology topology = make_topology(network, 2);
    Routes routes{topology, network.routing};
    PacketFabric fabric{fabric_of(topology, network, std::vector<Time>(2, 10_ns)), *this};
    Background background{traffic(PermutationTrafficParams{}, 0.5, 10_KiB), network, routes, fabric};
    std::vector<Time> delivered;

    BackgroundUse until(Time end) {
        fabric.declare(background.flows(), network.packet + network.header);
        background.begin({}, 1);
        background.end_at(end);
        while (fabric.next_time() != Fabric::never) fabric.step();
        return background.use();
    }
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t tag, std::uint32_t sequence) override {
        background.arrived(tag, sequence);
        if (sequence == 2) delivered.push_back(fabric.now());   // the last of three packets
    }
    void called(std::uint32_t sender, std::uint32_t) override { background.called(sender, true); }
};

TEST(Background, CountsAMessageThatIsDeliveredAtTheInstantOfTheEnd) {
    OfTwoRanks at_length;
    const std::size_t all = at_length.until(100_us).completions.size();
    ASSERT_GT(all, 10u);
    const Time fifth = at_length.delivered[4];
    ASSERT_LT(at_length.delivered[3], fifth);
    ASSERT_LT(fifth, at_length.delivered[5]);
    EXPECT_EQ(OfTwoRanks().until(fifth).completions.size(), 5u);
    EXPECT_EQ(OfTwoRanks().until(fifth).duration, fifth);
    EXPECT_EQ(OfTwoRanks().until(fifth - 1_ps).completions.size(), 4u);
}

}   // namespace
}   // namespace oscar::background_test
