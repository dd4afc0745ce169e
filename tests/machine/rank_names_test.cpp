// What decides no time: which rank of a switch is which rank of a collective; flow control where nobody waits for it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/machine/network_variants.hpp"
#include "tests/machine/placed_work.hpp"
#include "tests/machine/rank_names.hpp"
#include "tests/machine/same_outcome.hpp"

namespace oscar::rank_names_test {
namespace {

using test::CodingCost;
using test::Draws;
using test::Machine;
using test::MachineSpec;

/// Five ranks on a switch, links of 100 Gbit/s that never hold up a packet for its credit.
MachineSpec five_on_a_switch() {
    MachineSpec spec;
    spec.ranks = 5;
    spec.topology = StarParams{};
    spec.network.link.buffer = 16_MiB;
    spec.network.packet = 1_KiB;
    return spec;
}

class OnASwitch : public ::testing::TestWithParam<Issue> {};

TEST_P(OnASwitch, ThePermutationOfTheRanksLeavesEveryStepOfEveryCollectiveItsTimes) {
    const MachineSpec spec = five_on_a_switch();
    std::vector<test::NetworkVariant> variants = test::fidelities_of(spec);
    for (const auto& control : test::controls_of(spec)) variants.push_back(control);
    const auto machines = test::machines_of(variants);
    const std::vector<Rank> names = test::first_ranks(spec.ranks);
    std::vector<std::vector<Rank>> others{{names.rbegin(), names.rend()}};
    Draws draw(1);
    for (int i = 0; i < 3; ++i) test::shuffle(others.emplace_back(names), draw);
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::same_as<P, InNetworkParams>) {   // all ranks of that are leaves of one tree
            P params;
            params.issue = GetParam();
            const auto outcome = [&](test::Machine& machine, const std::vector<Rank>& ranks) {
                CodingCost work(params, ranks, 16'384, spec, {}, Fp32Params{});
                return test::run(machine, {work.placed()}).outcome;
            };
            for (std::size_t m = 0; m < machines.size(); ++m) {
                SCOPED_TRACE(std::string(kind.name) + ", " + variants[m].name);
                const Outcome as_named = outcome(*machines[m], names);
                for (const auto& other : others)
                    test::expect_same_but_for_names(as_named, names, outcome(*machines[m], other), other);
            }
        }
    });
}

TEST_P(OnASwitch, ThePermutationOfTheRanksLeavesEveryStepOfAnInNetworkCollectiveItsTimes) {
    const MachineSpec spec = five_on_a_switch();
    const std::vector<test::NetworkVariant> variants = test::fidelities_of(spec);
    const auto machines = test::machines_of(variants);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    InNetworkParams params;
    params.slices = 7;
    const Schedule schedule = make_schedule(params, spec.ranks);
    const ChunkLayout layout = make_layout(EqualParams{}, 16'384, {schedule.chunks, 1}, {});
    const std::vector<Rank> names = test::first_ranks(spec.ranks);
    const std::vector<Rank> other{{3}, {0}, {4}, {2}, {1}};
    for (std::size_t m = 0; m < machines.size(); ++m) {
        SCOPED_TRACE(variants[m].name);
        const auto outcome = [&](const std::vector<Rank>& ranks) {
            const Plan plan(test::renamed(schedule, ranks), ElementType::float32, 32);
            SyntheticMessageSource participants(plan, *codec, layout);
            return machines[m]->system().run({plan, participants, GetParam(), {}});
        };
        test::expect_same_but_for_names(outcome(names), names, outcome(other), other);
    }
}

INSTANTIATE_TEST_SUITE_P(Issued, OnASwitch, ::testing::Values(Issue::lock_step, Issue::dependency));

/// A byte takes 1 ns. Rank 0 sends four packets each to 3, 2 and 1, in this order; all are there at once, after NIC and
/// DMA, so that they leave in turn: those to 3 first.
TEST(ANic, ServesItsPeersInTurnInTheOrderInWhichTheirMessagesWerePosted) {
    MachineSpec spec = test::readable();
    spec.ranks = 4;
    spec.topology = StarParams{};
    spec.network.packet = 256_B;
    spec.network.link.buffer = 64_KiB;
    spec.node.gpu.dma_bandwidth = 100'000_Gbps;
    FlowsParams flows;
    flows.issue = Issue::dependency;
    for (const std::uint32_t to : {3u, 2u, 1u}) flows.flows.push_back({0, to, 1_KiB, {}});
    std::vector<test::NetworkVariant> variants = test::fidelities_of(spec);
    for (const auto& control : test::controls_of(spec))
        if (control.as_packet) variants.push_back(control);
    const auto machines = test::machines_of(variants);
    for (std::size_t m = 0; m < machines.size(); ++m) {
        const Plan plan(make_schedule(flows, 4), ElementType::float32, 32, Operation::transfers);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        const ChunkLayout layout = layout_of(flows, 4);
        SyntheticMessageSource participants(plan, *codec, layout);
        const Outcome outcome = machines[m]->system().run({plan, participants, Issue::dependency, {}});
        const Time first = outcome.steps[0].sent;
        EXPECT_EQ(outcome.steps[1].sent, first + 256_ns) << variants[m].name;
        EXPECT_EQ(outcome.steps[2].sent, first + 512_ns) << variants[m].name;
    }
}

/// Two flows of 2 KiB, from 0 to 4 and from 1 to 5 of a fat tree of 16 ranks, in packets of 256 B that choose among two
/// and four routes. Nothing else takes time, so that a packet takes 20.48 ns a link, in flits of 5.12 ns.
TEST(SprayedFlows, TakeTheSameTimesWithEachFlowControlIfNothingIsDroppedOrPaused) {
    MachineSpec spec;
    spec.ranks = 16;
    spec.topology = FatTreeParams{.k = 4};
    spec.network.link = {100_Gbps, 0_ps, 16_MiB};
    spec.network.packet = 256_B;
    spec.network.header = 0_B;
    spec.network.routing = SprayParams{};
    spec.network.switches.latency = 0_ps;
    spec.node.gpu = {100'000_Gbps, 0_ps};
    spec.node.nic.latency = 0_ps;
    std::vector<test::NetworkVariant> variants = test::fidelities_of(spec);
    for (const auto& control : test::controls_of(spec)) variants.push_back(control);
    ASSERT_EQ(variants.size(), 7u);
    const auto machines = test::machines_of(variants);
    FlowsParams flows;
    flows.flows = {{0, 4, 2_KiB, {}}, {1, 5, 2_KiB, {}}};
    const Plan plan(make_schedule(flows, spec.ranks), ElementType::float32, 32, Operation::transfers);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = layout_of(flows, spec.ranks);
    const auto outcome = [&](Machine& machine) {
        SyntheticMessageSource participants(plan, *codec, layout);
        return machine.system().run({plan, participants, Issue::dependency, {}});
    };
    const Outcome first = outcome(*machines[0]);
    for (std::size_t m = 1; m < machines.size(); ++m) {
        SCOPED_TRACE(variants[m].name);
        test::expect_same(outcome(*machines[m]), first);
    }
}

}   // namespace
}   // namespace oscar::rank_names_test
