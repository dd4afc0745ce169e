// The schedule of NCCL's choice: the ring or the tree that it names, on every NIC of a node alike.
#include "models/collective/algorithms/nccl/nccl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/algorithms/step_count.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::nccl_test {
namespace {

NcclAllReduceParams chosen(NcclAlgorithm algorithm, std::uint32_t slices, std::uint32_t channels) {
    NcclAllReduceParams params;
    params.algorithm = algorithm;
    params.slices = slices;
    params.channels = channels;
    params.channel_order = ChannelOrder::rotated;
    return params;
}

void expect_same_messages(const Schedule& a, const Schedule& b) {
    ASSERT_EQ(a.steps.size(), b.steps.size());
    EXPECT_EQ(a.chunks, b.chunks);
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        EXPECT_EQ(a.steps[i].from, b.steps[i].from);
        EXPECT_EQ(a.steps[i].to, b.steps[i].to);
        EXPECT_EQ(a.steps[i].chunk, b.steps[i].chunk);
    }
}

TEST(Nccl, TakesTheRingOfTheRingAndTheTreesOfADoubleBinaryTreeWithTheNodesAsChains) {
    RingParams ring;
    ring.channels = 4;
    ring.channel_order = ChannelOrder::rotated;
    expect_same_messages(make_schedule(Collective(chosen(NcclAlgorithm::ring, 1, 4)), 12, 4),
                         make_schedule(Collective(ring), 12, 4));
    DoubleBinaryTreeParams tree;
    tree.slices = 3;
    tree.channels = 4;
    tree.channel_order = ChannelOrder::rotated;
    tree.island = 4;
    expect_same_messages(make_schedule(Collective(chosen(NcclAlgorithm::tree, 3, 4)), 12, 4),
                         make_schedule(Collective(tree), 12, 4));
}

TEST(Nccl, AddsUpOnEveryMachineAndCountsItsSteps) {
    for (const NcclAlgorithm algorithm : {NcclAlgorithm::ring, NcclAlgorithm::tree})
        for (const auto& [ranks, island] : {std::pair{2u, 1u}, {7u, 1u}, {8u, 4u}, {24u, 8u}, {20u, 2u}}) {
            const Collective collective(chosen(algorithm, algorithm == NcclAlgorithm::tree ? 5 : 1, island));
            const Schedule schedule = make_schedule(collective, ranks, island);
            EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt) << ranks;
            EXPECT_EQ(count_steps(collective, ranks, 0, island), schedule.steps.size()) << ranks;
        }
}

/// Of 20 slices at most eight are under way on a connection: the message of slice 8 waits for that of slice 0.
TEST(Nccl, HasEightSlicesOfATreeUnderWayOnAConnection) {
    const Schedule schedule = make_schedule(Collective(chosen(NcclAlgorithm::tree, 20, 2)), 8, 2);
    std::map<std::tuple<Rank, Rank, std::uint32_t, Op>, std::vector<StepId>> sent;
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        auto& before = sent[{step.from, step.to, step.chunk.value % 4, step.op}];   // two trees in two channels
        EXPECT_EQ(step.chunk.value / 4, before.size());
        const auto after = schedule.after(id);
        const bool waits = before.size() >= 8 && std::ranges::find(after, before[before.size() - 8]) != after.end();
        EXPECT_EQ(waits, before.size() >= 8);
        before.push_back(id);
    }
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
}

/// Messages are of one size: a tree's chunks are 1 / (2 slices channels) of the bucket.
TEST(Nccl, SendsTheSameByEachNicOfANode) {
    constexpr std::uint32_t island = 4, ranks = 20;
    for (const NcclAlgorithm algorithm : {NcclAlgorithm::ring, NcclAlgorithm::tree}) {
        const Schedule schedule = make_schedule(Collective(chosen(algorithm, 2, island)), ranks, island);
        std::map<std::uint32_t, std::uint32_t> sent, received;   // by rank
        for (const Step& step : schedule.steps)
            if (step.from.value / island != step.to.value / island) {
                ++sent[step.from.value];
                ++received[step.to.value];
            }
        EXPECT_EQ(sent.size(), ranks);
        for (const auto& [rank, count] : sent) EXPECT_EQ(count, sent[rank / island * island]) << rank;
        EXPECT_EQ(received.size(), ranks);
        for (const auto& [rank, count] : received) EXPECT_EQ(count, received[rank / island * island]) << rank;
    }
}

}   // namespace
}   // namespace oscar::nccl_test
