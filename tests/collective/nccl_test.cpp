// The schedule of NCCL's choice: the ring, tree or adding switches that it names, on every NIC of a node alike.
#include "models/collective/algorithms/nccl/nccl.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/algorithms/step_count.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::nccl_test {
namespace {

NcclCollectiveParams chosen(NcclAlgorithm algorithm, std::uint32_t slices, std::uint32_t channels) {
    NcclCollectiveParams params;
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

NcclCollectiveParams by_switches(NcclAlgorithm algorithm, std::uint32_t slices, std::uint32_t island,
                                 Operation operation = Operation::all_reduce) {
    NcclCollectiveParams params;
    params.operation = operation;
    params.algorithm = algorithm;
    params.slices = slices;
    params.island = island;
    return params;
}

TEST(NcclSwitches, TakeTheHierarchicalAllReduceInANode) {
    HierarchicalParams inside;
    inside.island = 6;
    inside.inside = InsideIsland::island_switch;
    inside.slices = 5;
    inside.in_flight = 2;
    NcclCollectiveParams nvls = by_switches(NcclAlgorithm::nvls, 5, 6);
    nvls.in_flight = 2;
    const Schedule schedule = make_schedule(Collective(nvls), 6, 6);
    expect_same_messages(schedule, make_schedule(Collective(inside), 6, 6));
    EXPECT_TRUE(schedule.island_switches);
}

TEST(NcclSwitches, OfTreesAddUpOnEveryMachineAndCountTheirSteps) {
    for (const auto& [ranks, island] : {std::pair{6u, 3u}, {16u, 8u}, {12u, 4u}, {20u, 4u}, {24u, 3u}, {4u, 4u}})
        for (const std::uint32_t slices : {1u, 2u, 5u}) {
            const Collective collective(by_switches(NcclAlgorithm::nvls_tree, slices, island));
            const Schedule schedule = make_schedule(collective, ranks, island);
            EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt) << ranks << " " << slices;
            EXPECT_EQ(count_steps(collective, ranks, 0, island), schedule.steps.size()) << ranks << " " << slices;
            EXPECT_EQ(schedule.aggregators, ranks / island);
        }
}

/// Two nodes of four: each rank sends 3 of its node's 4 parts to the switch and gets one sum; between nodes goes a part
/// each way, half for each tree; down comes all. In chunks, two of a part.
TEST(NcclSwitches, OfTreesSendAPartOfAGpuBetweenNodesEachWay) {
    const Schedule schedule = make_schedule(NvlsTreeParams{1, 4}, 8);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent;
    for (const Step& step : schedule.steps) ++sent[{step.from.value, step.to.value}];
    for (std::uint32_t r = 0; r < 8; ++r) {
        EXPECT_EQ((sent[{r, 8 + r / 4}]), 2u * 3 + 2);   // up, and the whole sum of its own part
        EXPECT_EQ((sent[{8 + r / 4, r}]), 2u + 2 * 4);
        EXPECT_EQ((sent[{r, (r + 4) % 8}]), 2u);
    }
    EXPECT_EQ(sent.size(), 3u * 8);
}

/// Four nodes: a switch adds in timesteps 0 and 1, trees of three levels go up in 2 and 3, down in 4 and 5, and the
/// switch copies in 6 and 7; each slice a timestep later.
TEST(NcclSwitches, OfTreesGoUpAndDownInAsManyTimesteps) {
    EXPECT_EQ(make_schedule(NvlsTreeParams{1, 3}, 12).timesteps(), 8u);
    EXPECT_EQ(make_schedule(NvlsTreeParams{4, 3}, 12).timesteps(), 11u);
}

/// The message of slice 2 waits for that of slice 0 on the same connection.
TEST(NcclSwitches, OfTreesHaveTwoSlicesUnderWayOnAConnection) {
    const Schedule schedule = make_schedule(Collective(by_switches(NcclAlgorithm::nvls_tree, 6, 3)), 6, 3);
    std::map<std::tuple<Rank, Rank, std::uint32_t, Op>, std::vector<StepId>> sent;
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        auto& before = sent[{step.from, step.to, step.chunk.value % 6, step.op}];
        const auto after = schedule.after(id);
        const bool waits = before.size() >= 2 && std::ranges::find(after, before[before.size() - 2]) != after.end();
        EXPECT_EQ(waits, before.size() >= 2);
        before.push_back(id);
    }
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
}

TEST(NcclShards, AreTheRingOrTheSwitchesOfAReduceScatterAndAnAllGather) {
    for (const Operation operation : {Operation::reduce_scatter, Operation::all_gather})
        for (const NcclAlgorithm algorithm : {NcclAlgorithm::ring, NcclAlgorithm::nvls})
            for (const std::uint32_t channels : {1u, 4u}) {
                if (algorithm == NcclAlgorithm::nvls && channels > 1) continue;
                NcclCollectiveParams params = by_switches(algorithm, 2, 4, operation);
                params.channels = channels;
                params.channel_order = ChannelOrder::rotated;
                const std::uint32_t ranks = algorithm == NcclAlgorithm::nvls ? 4 : 12;
                const Schedule schedule = make_schedule(Collective(params), ranks, 4);
                EXPECT_EQ(find_problem(operation, schedule), std::nullopt);
                EXPECT_EQ(operation_of(Collective(params)), operation);
                EXPECT_EQ(count_steps(Collective(params), ranks, 0, 4), schedule.steps.size());
            }
}

TEST(NcclShards, SayWhatIsNotChosenForThem) {
    const auto said = [](const NcclCollectiveParams& params) -> std::string {
        try {
            make_schedule(params, 8);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(said(by_switches(NcclAlgorithm::tree, 1, 4, Operation::all_gather)),
              "algorithm tree is for all_reduce; all_gather has ring and NVLS");
    EXPECT_THAT(said(by_switches(NcclAlgorithm::ring, 1, 4, Operation::broadcast)),
                ::testing::HasSubstr("operation broadcast: NCCL's tuner chooses for all_reduce, reduce_scatter and"));
}

}   // namespace
}   // namespace oscar::nccl_test
