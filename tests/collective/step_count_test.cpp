// The number of steps against the schedules themselves, of every kind.
#include "models/collective/algorithms/step_count.hpp"

#include <gmock/gmock.h>

namespace oscar::step_count_test {
namespace {

template <class P>
void expect_as_in_schedule(P params, std::uint32_t ranks, std::uint32_t slices, std::uint32_t channels) {
    params.slices = slices;
    if constexpr (std::derived_from<P, ChannelledParams>) params.channels = channels;
    const Collective collective{params};
    EXPECT_EQ(count_steps(collective, ranks), make_schedule(collective, ranks).steps.size())
        << ranks << " ranks, " << slices << " slices, " << channels << " channels";
}

TEST(StepCount, IsThatOfTheScheduleOfEveryKind) {
    for_each_kind(collectives, []<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        for (const std::uint32_t ranks : {2u, 3u, 4u, 6u, 7u, 8u, 12u, 17u, 32u})
            for (const std::uint32_t slices : {1u, 3u})
                for (const std::uint32_t channels : {1u, 2u}) expect_as_in_schedule(P{}, ranks, slices, channels);
    });
}

TEST(StepCount, KnowsShapesListsAndSwitches) {
    AllGatherParams spread;
    spread.shape = AllGatherShape::dissemination;
    expect_as_in_schedule(spread, 7, 2, 1);
    BroadcastFromRootParams chain;
    chain.shape = BroadcastShape::chain;
    expect_as_in_schedule(chain, 7, 2, 1);
    for (const std::uint32_t ranks : {2u, 7u, 12u, 33u}) {
        ReduceToRootParams reduce;
        reduce.shape = ReduceShape::chain;
        expect_as_in_schedule(reduce, ranks, 2, 1);
        expect_as_in_schedule(GatherToRootParams{{{}, RootedShape::binomial}}, ranks, 2, 1);
        expect_as_in_schedule(ScatterFromRootParams{{{}, RootedShape::binomial}}, ranks, 2, 1);
    }
    HierarchicalParams by_switches;
    by_switches.inside = InsideIsland::island_switch;
    for (const std::uint32_t island : {1u, 2u, 4u, 12u}) {
        by_switches.island = island;
        for (const std::uint32_t channels : {1u, 2u}) expect_as_in_schedule(by_switches, 12, 3, channels);
    }
    for (const std::uint32_t island : {1u, 2u, 4u})
        for (const std::uint32_t group : {0u, 4u, 12u})
            for (const InsideIsland inside : {InsideIsland::ranks, InsideIsland::island_switch})
                for (const std::uint32_t channels : {1u, 2u}) {
                    ReduceScatterParams reduce_scatter;
                    AllGatherParams all_gather;
                    for (ShardParams* shards :
                         {static_cast<ShardParams*>(&reduce_scatter), static_cast<ShardParams*>(&all_gather)}) {
                        shards->island = island;
                        shards->group = group;
                        shards->inside = inside;
                    }
                    expect_as_in_schedule(reduce_scatter, 24, 3, channels);
                    expect_as_in_schedule(all_gather, 24, 3, channels);
                }
    FlowsParams flows;
    flows.flows = {{0, 1, 4_KiB, {}}, {2, 1, 4_KiB, {}}};
    expect_as_in_schedule(flows, 4, 3, 1);
    // Seven ranks and three switches in one tree: nine links, up and down, five chunks.
    InNetworkParams tree;
    tree.slices = 5;
    EXPECT_EQ(count_steps(Collective{tree}, 7, 3), 9u * 2 * 5);
}

TEST(StepCount, OfTheLargestRunsIsExactIn64Bits) {
    DirectParams direct;
    direct.slices = 256;
    direct.channels = 32;
    EXPECT_EQ(count_steps(Collective{direct}, 4096), 4096ull * 2 * 4095 * 256 * 32);
}

}   // namespace
}   // namespace oscar::step_count_test
