// The machine on topologies beyond star and ring: values, and times of links that differ or are shared, by hand.
#include <gmock/gmock.h>

#include "models/network/event/make_fabric.hpp"
#include "models/predict/link_sharing.hpp"

#include "tests/network/topology/support.hpp"
#include "tests/system/support.hpp"

namespace oscar::topology_test {
namespace {

using test::Machine;
using test::MachineSpec;

constexpr std::uint32_t all_ranks = 8;
constexpr std::int64_t steps = 2 * (all_ranks - 1);   // of a ring AllReduce in lock-step
constexpr Bytes chunk = 1024_B;                       // one packet without header

/// A byte takes 1 ns, a cable 100 ns, a switch 30 ns; whole nanoseconds keep the edges of the NIC's clock.
MachineSpec plain(const TopologyKind& topology) {
    MachineSpec spec;
    spec.ranks = all_ranks;
    spec.topology = topology;
    spec.network.link = {8_Gbps, 100_ns, 64_KiB};
    spec.network.switches.latency = 30_ns;
    spec.network.header = 0_B;
    return spec;
}

MachineSpec changed(MachineSpec spec, const LinkOverride& change) {
    spec.network.overrides.push_back(change);
    return spec;
}

Time duration(Machine& machine) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run =
        machine.run(test::fp32_plan(all_ranks), *codec, test::floats(all_ranks, all_ranks * chunk.count / 4));
    test::expect_same(run);
    return run.outcome.duration();
}

/// How much longer the second machine takes in each step of the ring.
Time more_per_step(const MachineSpec& before, const MachineSpec& after) {
    Machine first(before, "first"), second(after, "second");
    const Time more = duration(second) - duration(first);
    EXPECT_EQ(more.ps % steps, 0);
    return {more.ps / steps};
}

class EveryTopology : public ::testing::TestWithParam<TopologyKind> {};

TEST_P(EveryTopology, LeavesTheSumsOfTheReferenceWhateverTheRouting) {
    MachineSpec spec = plain(GetParam()), sprayed = spec;
    spec.network.packet = sprayed.network.packet = 128_B;   // many packets a message
    spec.network.virtual_channels = sprayed.network.virtual_channels = 2;
    sprayed.network.routing = SprayParams{};
    Machine machine(spec, "flows"), spraying(sprayed, "packets");
    const auto codec = make_codec(AscParams{}, spec.node.engine.framing());
    for (Machine* each : {&machine, &spraying})
        for (const Issue issue : {Issue::lock_step, Issue::dependency})
            test::expect_same(each->run(test::int8_plan(all_ranks), *codec, test::codes(all_ranks, 5000, 8, 1), issue));
}

struct Nobody : FabricClient {
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t, std::uint32_t) override {}
};

TEST_P(EveryTopology, LeadsAnswersByTheRouteFromReceiverToSender) {
    MachineSpec spec = plain(GetParam());
    spec.network.virtual_channels = 2;
    const Topology topology = Machine::overridden(spec);
    const Routes routes(topology, {}, 2);
    Nobody nobody;
    const auto fabric = make_fabric(TimingFidelity::packet,
                                    fabric_of(topology, spec.network, std::vector<Time>(topology.ranks)), nobody);
    FlowTable flows(routes, *fabric);
    for (std::uint32_t from = 0; from < all_ranks; ++from)
        for (std::uint32_t to = 0; to < all_ranks; ++to) {
            if (from == to || routes.path(Rank{from}, Rank{to}).empty()) continue;
            const std::vector<Hop> back = flows.reverse_path(flows.of(Rank{from}, Rank{to}, 0).path);
            EXPECT_EQ(topology.edges[back.front().edge].from, node_of(Rank{to}));
            EXPECT_EQ(topology.edges[back.back().edge].to, node_of(Rank{from}));
            EXPECT_TRUE(std::ranges::equal(back, routes.path(Rank{to}, Rank{from})));
        }
}

/// Many small packets over links that damage one of fifty.
MachineSpec lossy(const TopologyKind& topology, const Reliability& repair) {
    MachineSpec spec = plain(topology);
    spec.network.packet = 128_B;
    spec.network.virtual_channels = 2;
    spec.network.loss.rate = 0.02;
    spec.network.reliability = repair;
    return spec;
}

TEST_P(EveryTopology, RepairsWhatItsLinksDamageWithAnswersOverTheRoutes) {
    MachineSpec sprayed = lossy(GetParam(), LinkRetryParams{});
    sprayed.network.routing = SprayParams{};
    sprayed.network.flow_control = PfcParams{};
    sprayed.network.link.buffer = 1_MiB;   // an island's fast links need headroom
    Machine back(lossy(GetParam(), GoBackNParams{}), "go_back_n"),
        selective(lossy(GetParam(), SelectiveParams{}), "selective"), retry(sprayed, "link_retry");
    const auto codec = make_codec(AscParams{}, MachineSpec{}.node.engine.framing());
    for (Machine* each : {&back, &selective, &retry}) {
        const auto run = each->run(test::int8_plan(all_ranks), *codec, test::codes(all_ranks, 5000, 8, 1));
        test::expect_same(run);
        EXPECT_GT(run.outcome.transport->damaged, 0u);
    }
}

std::vector<TopologyKind> all_topologies() {
    std::vector<TopologyKind> all;
    for_each_kind(topologies, [&]<class P>(const Kind<P>&) { all.emplace_back(test::sample<P>(all_ranks)); });
    return all;
}

INSTANTIATE_TEST_SUITE_P(Of, EveryTopology, ::testing::ValuesIn(all_topologies()),
                         [](const auto& kind) { return std::string(kind.param.name()); });

/// How long a link was busy before `end`.
Time busy_before(const Outcome& outcome, const std::string& link, Time end) {
    const auto found = std::ranges::find(outcome.links, link, &LinkUse::name);
    Time busy;
    for (const Span span : found->busy) busy += std::max(Time{}, std::min(span.end, end) - span.begin);
    return busy;
}

TEST(Spraying, PutsPacketsInOrderThatOvertookEachOther) {
    LeafSpineParams two_ways{2, 4, 2};   // leaves are switches 0 and 1, spines 2 and 3
    MachineSpec spec = changed(plain(two_ways), {{{}, 10_us, {}}, "", "switch3"});   // one spine is far away
    spec.network.packet = 64_B;                                                      // 16 of a message
    spec.network.routing = SprayParams{};
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run =
        machine.run(test::fp32_plan(all_ranks), *codec, test::floats(all_ranks, all_ranks * chunk.count / 4));
    test::expect_same(run);
    // The premise: packets did overtake. From leaf 0 to leaf 1 only rank 3 sends, to rank 4. The first `near` packets
    // of its first message take the near spine. If more than `near` of them have passed that spine before the first
    // packet passes the far one, one of them was sent behind it.
    const auto passes_far_spine = [&](std::uint32_t packet) {
        return machine.topology().edge_name(machine.routes().path(Rank{3}, Rank{4}, packet)[1].edge) ==
               "switch0->switch3";
    };
    std::int64_t near = 0;
    while (near < 16 && !passes_far_spine(static_cast<std::uint32_t>(near))) ++near;
    const Time far_begins =
        std::ranges::find(run.outcome.links, "switch3->switch1", &LinkUse::name)->busy.front().begin;
    EXPECT_GT(busy_before(run.outcome, "switch2->switch1", far_begins), near * 64_ns);   // of a packet
}

TEST(ASlowUplink, CostsEachStepItsSerializationInsteadOfTheOthers) {
    const MachineSpec star = plain(StarParams{});
    // Before: chunk, and in the switch the first flit. After: the chunk at 8 ns a byte; the last flit waits for the
    // rest of its packet, then leaves at the rate of the second link.
    const Time before = 1024_ns + 64_ns, after = 8 * 1024_ns + 64_ns;
    EXPECT_EQ(more_per_step(star, changed(star, {{1_Gbps, {}, {}}, "rank3->switch0", ""})), after - before);
}

TEST(ASlowDownlink, CostsEachStepItsSerializationBehindTheFirstFlit) {
    const MachineSpec star = plain(StarParams{});
    EXPECT_EQ(more_per_step(star, changed(star, {{1_Gbps, {}, {}}, "switch0->rank3", ""})), 8 * 1024_ns - 1024_ns);
}

TEST(ALongCable, CostsEachStepItsPropagation) {
    const MachineSpec star = plain(StarParams{});
    EXPECT_EQ(more_per_step(star, changed(star, {{{}, 5_us, {}}, "", "rank5"})), 5_us - 100_ns);
}

TEST(ATrunkOfOneForFour, CostsEachStepThreeChunksMore) {
    // Neighbours of the ring are at different switches: four chunks share the trunk in each direction, where a star
    // would have none. Beside the three that the last chunk waits for: a cable, a switch and its first flit.
    EXPECT_EQ(more_per_step(plain(StarParams{}), plain(test::sample<GraphParams>(all_ranks))),
              3 * 1024_ns + 100_ns + 30_ns + 64_ns);
}

TEST(ATrunkOfFourTimesTheRate, CostsEachStepNoWaitingButItsOwnWay) {
    // All four heads are at the trunk at once. Each takes the trunk until its tail, which comes as late as on the
    // uplink: the first ends with its last flit, 16 ns behind the tail, and the others at 256 ns each behind it.
    MachineSpec fast =
        changed(plain(test::sample<GraphParams>(all_ranks)), {{32_Gbps, {}, {}}, "switch*->switch*", ""});
    // Uplink 64 + 100 + 30; the tail of the first is there at 1024 + 130 and leaves until 1170; then three of 256 ns.
    const Time last_begins = 1170_ns + 2 * 256_ns;
    const Time arrives = last_begins + 16_ns + 100_ns + 30_ns + 1024_ns + 100_ns;
    const Time star = 64_ns + 100_ns + 30_ns + 1024_ns + 100_ns;
    EXPECT_EQ(more_per_step(plain(StarParams{}), fast), arrives - star);
}

TEST(Islands, AreUsedWhereTheRingStaysOnThem) {
    MachineSpec spec = plain(IslandsParams{4});
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run = machine.run(test::fp32_plan(all_ranks), *codec, test::floats(all_ranks, 8000));
    for (const EdgeId e : run.outcome.links.indices()) {
        const LinkUse& link = run.outcome.links[e];
        const bool island = link.name.ends_with("switch0") || link.name.ends_with("switch1");
        if (!link.name.starts_with("rank")) continue;
        const std::uint32_t rank = static_cast<std::uint32_t>(link.name[4] - '0');
        EXPECT_EQ(link.packets > 0, (rank % 4 != 3) == island) << link.name;   // 3 and 7 send to the other island
    }
}

class LinksOfAnyRate : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LinksOfAnyRate, MakeALockStepAllReduceAsLongAsItsClosedForm) {
    std::mt19937_64 random(GetParam());
    MachineSpec spec = plain(StarParams{});
    spec.network.link.buffer = 16_MiB;
    spec.network.packet = 700_B;
    spec.network.header = 33_B;
    for (std::uint32_t r = 0; r < all_ranks; ++r)
        for (const std::string& name : {"rank" + std::to_string(r) + "->*", "*->rank" + std::to_string(r)})
            spec.network.overrides.push_back(
                {{Bandwidth{1000 + random() % 9000}, Time{static_cast<std::int64_t>(random() % 2'000'000)}, {}},
                 name,
                 ""});
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan = test::fp32_plan(all_ranks);
    EXPECT_FALSE(shares_links(plan.schedule, machine.routes(), Issue::lock_step));
    const auto run = machine.run(plan, *codec, test::floats(all_ranks, all_ranks * 1000));
    EXPECT_EQ(run.outcome.duration(), machine.closed_form_of(plan, *codec, run.reference, Issue::lock_step));
}

INSTANTIATE_TEST_SUITE_P(Seed, LinksOfAnyRate, ::testing::Range<std::uint64_t>(0, 10));

TEST(SharedLinks, AreToldFromThoseThatNobodyElseTakes) {
    const Schedule ring = make_schedule(RingParams{}, all_ranks);
    const auto shared = [&](const TopologyKind& kind, const RoutingParams& routing, Issue issue) {
        const Topology topology = make_topology(kind, all_ranks, {});
        return shares_links(ring, Routes(topology, routing), issue);
    };
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        EXPECT_FALSE(shared(StarParams{}, {}, issue));
        EXPECT_FALSE(shared(CableRingParams{}, {}, issue));
        EXPECT_FALSE(shared(LeafSpineParams{2, 4, 1}, {}, issue));   // one flow crosses in each direction
        EXPECT_TRUE(shared(test::sample<GraphParams>(all_ranks), {}, issue));
        EXPECT_TRUE(shared(StarParams{}, SprayParams{}, issue));
    }
}

}   // namespace
}   // namespace oscar::topology_test
