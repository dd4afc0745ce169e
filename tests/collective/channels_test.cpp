#include "models/collective/schedule/channels.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/schedule/find_problem.hpp"
#include "models/collective/schedule/phases.hpp"
#include "models/partition/chunks.hpp"

namespace oscar::channels_test {
namespace {

using ::testing::ElementsAre;

/// Calls f(name, params) for each kind that has channels.
template <class F>
void for_each_channelled(F&& f) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (std::derived_from<P, ChannelledParams>) f(std::string(kind.name), P{});
    });
}

/// What a step is, without its number.
auto content(const Schedule& schedule, StepId id) {
    const Step& step = schedule.steps[id.value];
    const auto after = schedule.after(id);
    return std::tuple(step.from, step.to, step.chunk, step.op, step.timestep,
                      std::vector<StepId>(after.begin(), after.end()));
}

void expect_equal(const Schedule& a, const Schedule& b) {
    EXPECT_EQ(a.chunks, b.chunks);
    ASSERT_EQ(a.steps.size(), b.steps.size());
    for (StepId id; id.value < a.steps.size(); ++id.value) ASSERT_EQ(content(a, id), content(b, id)) << id.value;
}

std::vector<std::uint32_t> numbers(const RankOrder& order) {
    std::vector<std::uint32_t> result;
    for (const Rank rank : order) result.push_back(rank.value);
    return result;
}

std::vector<RankOrder> rotated(std::uint32_t channels, std::uint32_t ranks, std::uint32_t island) {
    return orders_of({{}, channels, ChannelOrder::rotated}, ranks, island);
}

TEST(Channels, AreWhatEveryAllReduceAmongRanksHasAndItsHalves) {
    for_each_kind(collectives, []<class P>(const Kind<P>& kind) {
        if (std::is_same_v<P, ListedScheduleParams>) return;   // whose list says all
        const bool among_ranks = P{}.operation == Operation::all_reduce && make_schedule(P{}, 4).aggregators == 0;
        const bool half = P{}.operation == Operation::reduce_scatter || P{}.operation == Operation::all_gather;
        EXPECT_EQ((std::derived_from<P, ChannelledParams>), among_ranks || half) << kind.name;
        EXPECT_EQ((std::derived_from<P, StaggeredParams>), among_ranks) << kind.name;
    });
}

/// The same collective with what it takes from a machine with islands of 4, for 8 ranks.
template <class P>
P on_islands_of_4(const P& params) {
    if constexpr (std::is_same_v<P, HierarchicalParams> || std::derived_from<P, ShardParams>)
        return on_islands(params, 8, 4);
    else return params;
}

TEST(Channels, ThatAreOneLeaveTheScheduleOfTheKindAsItIs) {
    for_each_channelled([]<class P>(const std::string& name, P params) {
        SCOPED_TRACE(name);
        params.channel_order = ChannelOrder::rotated;
        const Schedule schedule = make_schedule(Collective(params), 8, 4);
        expect_equal(schedule, make_schedule(on_islands_of_4(params), 8));
        EXPECT_TRUE(schedule.channels.empty());
    });
}

TEST(Channels, OfEveryAllReduceAndHalfOfOneDoWhatOneDoesFrom2To33Ranks) {
    for_each_channelled([]<class P>(const std::string& name, P params) {
        for (params.channels = 2; params.channels <= 4; ++params.channels)
            for (std::uint32_t ranks = 2; ranks <= 33; ++ranks) {
                params.slices = ranks % 3 == 0 ? 2 : 1;
                params.channel_order = ranks % 2 == 0 ? ChannelOrder::rotated : ChannelOrder::same;
                EXPECT_EQ(find_problem(P{}.operation, make_schedule(Collective(params), ranks, 1 + ranks % 5)),
                          std::nullopt)
                    << name << ", " << params.channels << " channels, " << ranks << " ranks";
            }
    });
}

TEST(Channels, DoEachWhatTheScheduleSaysWithChunksOfTheirOwn) {
    for_each_channelled([]<class P>(const std::string& name, P params) {
        SCOPED_TRACE(name);
        params.slices = 2;
        const Schedule one = make_schedule(params, 6);
        params.channels = 3;
        const Schedule all = make_schedule(Collective(params), 6);
        const std::uint32_t group = one.chunks / 2;
        EXPECT_EQ(all.chunks, 3 * one.chunks);
        EXPECT_EQ(all.timesteps(), one.timesteps());
        EXPECT_TRUE(std::ranges::is_sorted(all.steps, {}, &Step::timestep));   // as those of one
        for (std::uint32_t k = 0; k < 3; ++k) {
            std::vector<StepId> of_channel;   // slice s of channel k: chunks from (3 s + k) group on
            for (StepId id; id.value < all.steps.size(); ++id.value)
                if (all.channel_of(all.steps[id.value].chunk) == k) of_channel.push_back(id);
            ASSERT_EQ(of_channel.size(), one.steps.size());
            for (StepId id; id.value < one.steps.size(); ++id.value) {
                const Step &expected = one.steps[id.value], &step = all.steps[of_channel[id.value].value];
                EXPECT_EQ(step.chunk.value / group, 3 * (expected.chunk.value / group) + k);
                EXPECT_EQ(step.chunk.value % group, expected.chunk.value % group);
                EXPECT_EQ(std::tuple(step.from, step.to, step.op, step.timestep),
                          std::tuple(expected.from, expected.to, expected.op, expected.timestep));
                std::vector<StepId> after;
                for (const StepId before : one.after(id)) after.push_back(of_channel[before.value]);
                EXPECT_TRUE(std::ranges::equal(all.after(of_channel[id.value]), after));
            }
        }
    });
}

/// Of 48 values, 4 ranks, 2 slices and 3 channels: channel k has the values from 16 k on, and in each slice of 2 of
/// them a chunk of each rank.
TEST(Channels, AreEqualRunsOfTheBucketWhereChunksAre) {
    RingParams params;
    params.slices = 2;
    params.channels = 3;
    const Schedule schedule = make_schedule(Collective(params), 4);
    const ChunkLayout layout = make_layout(EqualParams{}, 48, {schedule.chunks / 2, 2}, {});
    std::vector<std::uint32_t> values(3);
    for (ChunkId chunk; chunk.value < schedule.chunks; ++chunk.value)
        for (const Segment segment : layout.segments(chunk)) {
            EXPECT_EQ(segment.begin / 16, schedule.channel_of(chunk));
            EXPECT_EQ((segment.end - 1) / 16, schedule.channel_of(chunk));
            values[schedule.channel_of(chunk)] += segment.end - segment.begin;
        }
    EXPECT_THAT(values, ElementsAre(16, 16, 16));
}

TEST(Channels, TakeTheRanksOfAnIslandInTurnWhereTheyAreRotated) {
    const auto all = rotated(4, 8, 4), two = rotated(2, 8, 4);
    EXPECT_THAT(numbers(all[0]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(numbers(all[1]), ElementsAre(1, 2, 3, 0, 5, 6, 7, 4));
    EXPECT_THAT(numbers(all[3]), ElementsAre(3, 0, 1, 2, 7, 4, 5, 6));
    EXPECT_THAT(numbers(two[1]), ElementsAre(2, 3, 0, 1, 6, 7, 4, 5));
}

TEST(Channels, TurnASmallerLastIslandByItsOwnSize) {
    EXPECT_THAT(numbers(rotated(2, 7, 4)[1]), ElementsAre(2, 3, 0, 1, 5, 6, 4));
}

TEST(Channels, HaveTheSameOrderWhereNothingSaysOtherwise) {
    const std::vector<Rank> in_order = ranks_from(0, 1, 8);
    for (const RankOrder& order : rotated(4, 8, 1)) EXPECT_EQ(order, in_order);   // no islands
    for (const RankOrder& order : orders_of({{}, 4, ChannelOrder::same}, 8, 4)) EXPECT_EQ(order, in_order);
}

/// A ring goes from an island to the next at one place.
TEST(Channels, CrossBetweenIslandsByAsManyNicsAsThereAreWhereTheyAreRotated) {
    for (std::uint32_t island = 2; island <= 8; ++island)
        for (std::uint32_t channels = 2; channels <= island; ++channels) {
            RingParams params;
            params.channels = channels;
            params.channel_order = ChannelOrder::rotated;
            std::set<Rank> leaving, entering;
            const Schedule schedule = make_schedule(Collective(params), 3 * island, island);
            for (const Step& step : schedule.steps)
                if (step.from.value / island != step.to.value / island) {
                    leaving.insert(step.from);
                    entering.insert(step.to);
                }
            EXPECT_EQ(leaving.size(), 3 * channels) << island << " ranks an island, " << channels << " channels";
            EXPECT_EQ(entering.size(), 3 * channels) << island << " ranks an island, " << channels << " channels";
        }
}

/// Timestep s of reduction: rank r sends chunk (r - s) mod n up, and, at place n-1-r of the other ring, chunk
/// (n-1-r - s) mod n of the second half down.
TEST(SideBySide, MakesTwoRingsInOppositeDirectionsOfOne) {
    constexpr std::uint32_t n = 5;
    const Schedule schedule = make_schedule(BidirectionalRingParams{}, n);
    std::uint32_t up = 0, down = 0;
    for (const Step& step : schedule.steps) {
        if (step.op != Op::reduce) continue;
        const std::uint32_t r = step.from.value, s = step.timestep.value;
        if (step.to.value == (r + 1) % n) {
            ++up;
            EXPECT_EQ(step.chunk.value, (r + n - s) % n);
        } else {
            ++down;
            EXPECT_EQ(step.to.value, (r + n - 1) % n);
            EXPECT_EQ(step.chunk.value, n + (2 * n - 1 - r - s) % n);
        }
    }
    EXPECT_EQ(up, n * (n - 1));
    EXPECT_EQ(down, n * (n - 1));
    EXPECT_TRUE(schedule.channels.empty());   // ways of one connection each, as before
}

}   // namespace
}   // namespace oscar::channels_test
