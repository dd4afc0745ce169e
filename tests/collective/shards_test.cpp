// Reduce-scatter and all-gather as the halves of an AllReduce, on a ring and in islands, among all ranks and in groups.
#include "models/collective/schedule/shards.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <tuple>

#include "models/collective/algorithms/halves.hpp"
#include "models/collective/schedule/find_problem.hpp"
#include "models/collective/schedule/tiers.hpp"
#include "tests/collective/support.hpp"

namespace oscar::shards_test {
namespace {

using ::testing::HasSubstr;

/// A machine, and how the bucket is shared on it.
struct Setting {
    std::uint32_t ranks, island, slices = 1, channels = 1;
    InsideIsland inside = InsideIsland::ranks;
    std::uint32_t group = 0;
    bool ring = false;
    friend std::ostream& operator<<(std::ostream& out, const Setting& s) {
        return out << s.ranks << " ranks, islands of " << s.island << ", " << s.slices << " slices, " << s.channels
                   << " channels, groups of " << s.group << (s.ring ? ", ring" : "")
                   << (s.inside == InsideIsland::ranks ? "" : ", by switches");
    }
};

/// Calls f(setting) for machines, slices, channels, shapes, and with `groups` for each group that divides the ranks.
void for_each_setting(bool groups, auto f) {
    for (const auto& [ranks, island] :
         {std::pair{4u, 2u}, {6u, 3u}, {12u, 4u}, {16u, 4u}, {24u, 8u}, {12u, 8u}, {7u, 1u}})
        for (const std::uint32_t slices : {1u, 3u})
            for (const std::uint32_t channels : {1u, 2u})
                for (const InsideIsland inside : {InsideIsland::ranks, InsideIsland::island_switch})
                    for (const bool ring : {false, true})
                        for (std::uint32_t group = 0; group <= (groups ? ranks : 0); ++group) {
                            if (ring && inside == InsideIsland::island_switch) continue;
                            if (group == 0 || ranks % group == 0)
                                f(Setting{ranks, island, slices, channels, inside, group, ring});
                        }
}

template <class P>
P params_of(const Setting& setting) {
    P params;
    params.slices = setting.slices;
    params.channels = setting.channels;
    params.channel_order = ChannelOrder::rotated;
    params.group = setting.group;
    params.inside = setting.inside;
    params.shape = setting.ring ? decltype(params.shape)::ring : decltype(params.shape)::hierarchical;
    return params;
}

template <class P>
Schedule schedule_of(const Setting& setting) {
    return make_schedule(Collective{params_of<P>(setting)}, setting.ranks, setting.island);
}

Schedule all_reduce_of(const Setting& setting) {
    const auto with_channels = [&]<class P>(P params) {
        params.slices = setting.slices;
        params.channels = setting.channels;
        params.channel_order = ChannelOrder::rotated;
        return params;
    };
    if (setting.ring) return make_schedule(Collective{with_channels(RingParams{})}, setting.ranks, setting.island);
    HierarchicalParams params = with_channels(HierarchicalParams{});
    params.inside = setting.inside;
    return make_schedule(Collective{params}, setting.ranks, setting.island);
}

TEST(Shards, AreReducedAndGatheredInEveryOrderThatTheirStepsLeaveOpen) {
    for_each_setting(true, [](const Setting& setting) {
        SCOPED_TRACE(testing::PrintToString(setting));
        EXPECT_EQ(find_problem(Operation::reduce_scatter, schedule_of<ReduceScatterParams>(setting)), std::nullopt);
        EXPECT_EQ(find_problem(Operation::all_gather, schedule_of<AllGatherParams>(setting)), std::nullopt);
    });
}

/// Chunks that go from one participant to another, by additions and copies; of a schedule whose chunks are equal.
using Traffic = std::map<std::tuple<Rank, Rank, Op>, std::uint32_t>;
void count(const Schedule& schedule, Traffic& traffic) {
    for (const Step& step : schedule.steps) ++traffic[{step.from, step.to, step.op}];
}

/// So do their bytes on each link, inside islands and between them.
TEST(Shards, ReducedAndThenGatheredGoTheWaysOfTheAllReduceAsOften) {
    for_each_setting(false, [](const Setting& setting) {
        SCOPED_TRACE(testing::PrintToString(setting));
        const Schedule whole = all_reduce_of(setting), first = schedule_of<ReduceScatterParams>(setting),
                       second = schedule_of<AllGatherParams>(setting);
        Traffic both, of_whole;
        count(first, both);
        count(second, both);
        count(whole, of_whole);
        EXPECT_EQ(both, of_whole);
        EXPECT_EQ(first.chunks, whole.chunks);
        EXPECT_EQ(second.chunks, whole.chunks);
        EXPECT_EQ(first.channels, whole.channels);
        EXPECT_EQ(first.timesteps() + second.timesteps(), whole.timesteps());
    });
}

/// Of m groups of G ranks with a bucket of S each sends (G-1)/G S in its group, and 2 (m-1)/m of its shard of S/G to
/// the others.
TEST(Shards, OfGroupsAreReducedInTheirGroupAndThenOverAllGroups) {
    for_each_setting(true, [](const Setting& setting) {
        if (setting.group == 0 || setting.inside == InsideIsland::island_switch) return;
        SCOPED_TRACE(testing::PrintToString(setting));
        const Schedule schedule = schedule_of<ReduceScatterParams>(setting);
        const std::uint32_t groups = setting.ranks / setting.group;
        std::uint32_t within = 0, across = 0;   // chunks, of which a bucket has schedule.chunks
        for (const Step& step : schedule.steps)
            ++(step.from.value / setting.group == step.to.value / setting.group ? within : across);
        EXPECT_EQ(within, groups * (setting.group - 1) * schedule.chunks);
        EXPECT_EQ(across, 2 * (groups - 1) * schedule.chunks);
        for (const Step& step : schedule_of<AllGatherParams>(setting).steps)
            EXPECT_EQ(step.from.value / setting.group, step.to.value / setting.group);
    });
}

/// The sums at each owner, and after the gather of what it holds everywhere, with real bytes of each codec.
TEST(Shards, AreTheExactSumsAtTheirOwnersAndThenEverywhereWithAnyCodec) {
    for_each_setting(true, [](const Setting& setting) {
        if (setting.slices > 1 || setting.channels == 1 || setting.ranks > 12) return;   // more of the same, for time
        SCOPED_TRACE(testing::PrintToString(setting));
        const Plan plan(schedule_of<ReduceScatterParams>(setting), ElementType::integer, 8, Operation::reduce_scatter);
        const auto values = test::codes(setting.ranks, 211, 8, setting.ranks);
        const auto sum = exact_sum(values);
        for_each_kind(codecs, [&]<class C>(const Kind<C>& kind) {
            if constexpr (!std::same_as<C, Fp32Params> && !std::same_as<C, Bf16Params>) {
                SCOPED_TRACE(kind.name);
                const auto codec = make_codec(C{}, Framing{4, 32, 8});
                auto rank_states = test::make_endpoints(plan, *codec);
                test::begin(rank_states, values, plan);
                EXPECT_EQ(run_reference(plan.schedule, rank_states).resent, Resent{});
                const ChunkLayout& layout = rank_states.front().values().layout();
                const std::uint32_t sharers = setting.group == 0 ? setting.ranks : setting.group;
                for (std::uint32_t c = 0; c < plan.schedule.chunks; ++c)
                    for (std::uint32_t owner = c % sharers; owner < setting.ranks; owner += sharers)
                        ASSERT_EQ(layout.gather(ChunkId{c}, rank_states[owner].values().all()),
                                  layout.gather(ChunkId{c}, std::span<const Symbol>(sum)))
                            << "chunk " << c << " at rank " << owner;
            }
        });
    });
}

TEST(Shards, AreCopiesOfTheirOwnGroupWithAnyCodec) {
    for (const std::uint32_t group : {0u, 4u, 8u}) {
        const Setting setting{16, 4, 2, 2, InsideIsland::ranks, group};
        const Plan plan(schedule_of<AllGatherParams>(setting), ElementType::integer, 8, Operation::all_gather);
        const auto values = test::codes(16, 211, 8, 5);
        for_each_kind(codecs, [&]<class C>(const Kind<C>& kind) {
            if constexpr (!std::same_as<C, Fp32Params> && !std::same_as<C, Bf16Params>) {
                SCOPED_TRACE(std::string(kind.name) + ", groups of " + std::to_string(group));
                const auto codec = make_codec(C{}, Framing{4, 32, 8});
                auto rank_states = test::make_endpoints(plan, *codec);
                for (std::uint8_t t = 0; t < 2; ++t) {   // the second with tables, which ranks of a group learn alone
                    test::begin(rank_states, values, plan, t);
                    EXPECT_EQ(run_reference(plan.schedule, rank_states).resent, Resent{});
                    const ChunkLayout& layout = rank_states.front().values().layout();
                    const std::uint32_t sharers = group == 0 ? 16 : group;
                    for (std::uint32_t r = 0; r < 16; ++r)
                        for (std::uint32_t c = 0; c < plan.schedule.chunks; ++c)
                            ASSERT_EQ(layout.gather(ChunkId{c}, rank_states[r].values().all()),
                                      layout.gather(ChunkId{c}, std::span<const Symbol>(
                                                                    values[r / sharers * sharers + c % sharers])));
                    agree_on_tables(rank_states);
                    for (RankState& rank_state : rank_states) rank_state.commit();
                }
            }
        });
    }
}

/// Ranks that send to other islands, and the pairs of which one end has another place in its island than the other.
struct Crossings {
    std::set<std::uint32_t> senders;
    std::uint32_t off_rail = 0;
};
Crossings crossings(const Schedule& schedule, std::uint32_t island) {
    Crossings result;
    const std::vector<Tier> tiers = tiers_of(schedule, island);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (!tiers.empty() && tiers[i] == Tier::inside) continue;
        result.senders.insert(step.from.value);
        result.off_rail += step.from.value % island != step.to.value % island ? 1 : 0;
    }
    return result;
}

/// A flat ring leaves each node by one NIC; its rotated channels by as many as there are of them.
TEST(Shards, LeaveIslandsByAllNicsAndOnTheirRailsWhereTheyGoByIslands) {
    const auto of = [](bool ring, std::uint32_t channels) {
        return crossings(schedule_of<ReduceScatterParams>({32, 8, 1, channels, InsideIsland::ranks, 0, ring}), 8);
    };
    EXPECT_EQ(of(false, 1).senders.size(), 32u);
    EXPECT_EQ(of(false, 1).off_rail, 0u);
    EXPECT_EQ(of(true, 1).senders.size(), 4u);
    EXPECT_EQ(of(true, 8).senders.size(), 32u);
    const auto gather = crossings(schedule_of<AllGatherParams>({32, 8}), 8);
    EXPECT_EQ(gather.senders.size(), 32u);
    EXPECT_EQ(gather.off_rail, 0u);
}

TEST(Shards, GoByIslandsOfTheMachineWhereRanksAreOnSeveral) {
    const auto shape = [](std::uint32_t ranks, std::uint32_t island) {
        return on_islands(ReduceScatterParams{}, ranks, island).shape;
    };
    EXPECT_EQ(shape(16, 8), ReduceScatterShape::hierarchical);
    EXPECT_EQ(shape(12, 8), ReduceScatterShape::hierarchical) << "in islands of 4";
    EXPECT_EQ(shape(8, 8), ReduceScatterShape::ring) << "one node";
    EXPECT_EQ(shape(16, 1), ReduceScatterShape::ring) << "no islands";
    EXPECT_EQ(shape(15, 8), ReduceScatterShape::ring) << "no common divisor";
    ReduceScatterParams named;
    named.island = 4;
    EXPECT_EQ(on_islands(named, 8, 1).shape, ReduceScatterShape::hierarchical);
    EXPECT_EQ(on_islands(AllGatherParams{}, 12, 8).island, 4u);
    EXPECT_EQ(on_islands(AllGatherParams{}, 12, 8).shape, AllGatherShape::hierarchical);
}

TEST(Shards, AreThoseOfTheHalvesOfAnAllReduceOnARingOrInIslands) {
    HierarchicalParams whole;
    whole.slices = 3;
    whole.channels = 2;
    whole.island = 4;
    whole.inside = InsideIsland::island_switch;
    const ReduceScatterParams first = reduce_scatter_of(Collective{whole}).value();
    EXPECT_EQ(std::tuple(first.slices, first.channels, first.island, first.inside, first.shape),
              std::tuple(3u, 2u, 4u, InsideIsland::island_switch, ReduceScatterShape::hierarchical));
    const AllGatherParams second = all_gather_of(first);
    EXPECT_EQ(std::tuple(second.slices, second.channels, second.island, second.inside, second.shape),
              std::tuple(3u, 2u, 4u, InsideIsland::island_switch, AllGatherShape::hierarchical));
    EXPECT_EQ(reduce_scatter_of(Collective{RingParams{}})->shape, ReduceScatterShape::ring);
    EXPECT_EQ(all_gather_of(ReduceScatterParams{}).shape, AllGatherShape::automatic);
    for (const Collective& without : {Collective{DoubleBinaryTreeParams{}}, Collective{AllGatherParams{}}})
        EXPECT_EQ(reduce_scatter_of(without), std::nullopt);
}

std::string error_of(const Collective& collective, std::uint32_t ranks) {
    try {
        make_schedule(collective, ranks);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(Shards, RefuseGroupsAndIslandsThatDoNotDivide) {
    ReduceScatterParams params;
    params.group = 5;
    EXPECT_EQ(error_of(params, 12), "group: 5 does not divide 12 ranks; choose a divisor, or 0");
    params.group = 4;
    params.island = 3;
    EXPECT_EQ(error_of(params, 12), "island: 3 does not divide 4 ranks; choose a divisor, or 0") << "of a group";
    AllGatherParams gather;
    gather.group = 4;
    gather.shape = AllGatherShape::dissemination;
    EXPECT_THAT(error_of(gather, 12), HasSubstr("group: by dissemination all ranks are one group; choose 0"));
}

}   // namespace
}   // namespace oscar::shards_test
