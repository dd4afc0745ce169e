// Parts of schedules that stand for all under a rotation of ranks.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::part_test {
namespace {

struct Case {
    Collective collective;
    std::uint32_t ranks, turn;
    std::uint32_t chunks, cycle;   ///< that a turn moves chunks by, and the chunks of a cycle
};

CollectiveParams sliced(std::uint32_t slices) { return {Issue::dependency, slices}; }
StaggeredParams channelled(std::uint32_t slices, std::uint32_t channels) { return {{sliced(slices), channels}}; }

/// A half of the ring AllReduce.
template <class P>
P on_a_ring(std::uint32_t slices) {
    P params;
    params.slices = slices;
    return params;
}
/// A half of the hierarchical AllReduce in islands of `island`.
template <class P>
P in_islands(std::uint32_t slices, std::uint32_t channels, std::uint32_t island) {
    P params;
    params.slices = slices;
    params.channels = channels;
    params.island = island;
    params.shape = decltype(params.shape)::hierarchical;
    return params;
}

const std::vector<Case> cases{
    {RingParams{channelled(1, 1)}, 12, 3, 3, 12},
    {RingParams{channelled(3, 1), AllGatherDirection::reverse}, 12, 4, 4, 12},
    {RingParams{channelled(2, 2)}, 9, 3, 3, 9},
    {on_a_ring<ReduceScatterParams>(2), 10, 5, 5, 10},
    {on_a_ring<AllGatherParams>(2), 10, 5, 5, 10},
    {in_islands<ReduceScatterParams>(2, 1, 2), 24, 6, 6, 24},
    {in_islands<ReduceScatterParams>(1, 2, 4), 24, 12, 12, 24},
    {in_islands<AllGatherParams>(2, 1, 2), 24, 6, 6, 24},
    {in_islands<AllGatherParams>(1, 2, 4), 24, 12, 12, 24},
    {HierarchicalParams{channelled(2, 1), 2}, 24, 6, 3, 12},
    {HierarchicalParams{channelled(1, 2), 4}, 24, 12, 3, 6},
    {HierarchicalParams{channelled(1, 1), 1}, 9, 3, 3, 9},
};

/// What a step is beside its place in the schedule.
using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Op>;
Key key_of(const Case& c, const Step& step, std::uint32_t chunk, std::uint32_t turns) {
    return {step.timestep.value, (step.from.value + turns * c.turn) % c.ranks,
            (step.to.value + turns * c.turn) % c.ranks,
            chunk / c.cycle * c.cycle + (chunk + turns * c.chunks) % c.cycle, step.op};
}
/// The number in the whole schedule of a chunk of the part.
std::uint32_t chunk_in_whole(const Case& c, std::uint32_t chunk) {
    return chunk / c.chunks * c.cycle + chunk % c.chunks;
}

TEST(Part, TurnedMakesTheWholeScheduleWithEachStepOnce) {
    for (const Case& c : cases) {
        std::vector<Key> turned, whole;
        const Schedule part = make_part(c.collective, c.ranks, 1, c.turn);
        for (const Step& step : part.steps)
            for (std::uint32_t turns = 0; turns < c.ranks / c.turn; ++turns)
                turned.push_back(key_of(c, step, chunk_in_whole(c, step.chunk.value), turns));
        for (const Step& step : make_schedule(c.collective, c.ranks).steps)
            whole.push_back(key_of(c, step, step.chunk.value, 0));
        std::ranges::sort(turned);
        std::ranges::sort(whole);
        EXPECT_EQ(turned, whole) << c.collective.name() << ' ' << c.ranks;
    }
}

/// Each step of the part waits for as many steps, and sums as many ranks, as in the whole.
TEST(Part, HasTheDependenciesAndWidthsOfTheWhole) {
    const auto facts = [](const Plan& plan, StepId id, const Key& key) {
        return std::tuple(key, plan.schedule.after(id).size(), plan.contributions[id.value].carried,
                          plan.contributions[id.value].held, plan.addition[id.value], plan.origin[id.value] == id,
                          bool{plan.message_reused[id.value]},
                          plan.schedule.channel_of(plan.schedule.steps[id.value].chunk));
    };
    for (const Case& c : cases) {
        const Plan part(make_part(c.collective, c.ranks, 1, c.turn), ElementType::integer, 8);
        const Plan whole(make_schedule(c.collective, c.ranks), ElementType::integer, 8);
        std::vector<decltype(facts(part, StepId{}, Key{}))> of_part, of_whole;
        for (StepId id; id.value < part.schedule.steps.size(); ++id.value) {
            const Step& step = part.schedule.steps[id.value];
            of_part.push_back(facts(part, id, key_of(c, step, chunk_in_whole(c, step.chunk.value), 0)));
        }
        for (StepId id; id.value < whole.schedule.steps.size(); ++id.value) {
            const Step& step = whole.schedule.steps[id.value];
            if (step.chunk.value % c.cycle < c.chunks)
                of_whole.push_back(facts(whole, id, key_of(c, step, step.chunk.value, 0)));
        }
        std::ranges::sort(of_part);
        std::ranges::sort(of_whole);
        EXPECT_EQ(of_part, of_whole) << c.collective.name() << ' ' << c.ranks;
    }
}

TEST(Part, OfACollectiveWhoseRanksDifferIsRefused) {
    EXPECT_THROW(make_part(DirectParams{}, 12, 1, 3), std::logic_error);
}

/// The part would be one whose ranks add.
TEST(Part, OfACollectiveWhoseSwitchesAddIsRefusedInOneAndInRotatedChannels) {
    const auto by_switches = []<class P>(P params) {
        params.inside = InsideIsland::island_switch;
        params.channel_order = ChannelOrder::rotated;
        return params;
    };
    for (const std::uint32_t channels : {1u, 4u})
        for (const Collective& collective : {Collective{by_switches(HierarchicalParams{channelled(1, channels), 4})},
                                             Collective{by_switches(in_islands<ReduceScatterParams>(1, channels, 4))},
                                             Collective{by_switches(in_islands<AllGatherParams>(1, channels, 4))}})
            EXPECT_THROW(make_part(collective, 24, 4, 12), std::logic_error) << collective.name() << ' ' << channels;
}

/// What is refused in parts is right as a whole: each rank has its sums, by its island's switch, in rotated channels.
TEST(Part, IsNoneOfAWholeThatIsRightWithSwitchesAndRotatedChannels) {
    HierarchicalParams params{channelled(2, 4), 4};
    params.inside = InsideIsland::island_switch;
    params.channel_order = ChannelOrder::rotated;
    const Schedule schedule = make_schedule(params, 24, 4);
    EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
    EXPECT_EQ(schedule.aggregators, 6u);
}

/// Of a ring of 12 ranks, on 3: rank 4 does its steps as rank 1, for which its chunk is another one than rank 1's.
TEST(FoldedPlan, KeepsWhoSentAndWhoReceived) {
    Plan plan(make_part(RingParams{}, 12, 1, 3), ElementType::integer, 8);
    const Schedule unfolded = plan.schedule;
    plan.fold(3);
    EXPECT_EQ(plan.schedule.ranks, 3u);
    EXPECT_EQ(plan.ranks, 12u);
    EXPECT_EQ(plan.final_width(), 8u + 4);
    for (StepId id; id.value < unfolded.steps.size(); ++id.value) {
        const Step &before = unfolded.steps[id.value], &after = plan.schedule.steps[id.value];
        EXPECT_EQ(after.from.value, before.from.value % 3);
        EXPECT_EQ(after.to.value, before.to.value % 3);
        EXPECT_EQ(plan.sender(id), before.from);
        EXPECT_EQ(plan.receiver(id), before.to);
        EXPECT_EQ(plan.sent_chunk(id).value, before.from.value / 3 * unfolded.chunks + before.chunk.value);
        EXPECT_EQ(plan.taken_chunk(id).value, before.to.value / 3 * unfolded.chunks + before.chunk.value);
    }
}

}   // namespace
}   // namespace oscar::part_test
