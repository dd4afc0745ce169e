#include "models/collective/schedule/stagger.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::stagger_test {
namespace {

using ::testing::ElementsAre;

/// Calls f(name, params) for each kind whose slices can be staggered.
template <class F>
void for_each_staggered(F&& f) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (std::derived_from<P, StaggeredParams> && !std::same_as<P, DoubleBinaryTreeParams>)
            f(std::string(kind.name), P{});
    });
}

Schedule ring(std::uint32_t ranks, std::uint32_t slices, std::uint32_t in_flight) {
    RingParams params;
    params.slices = slices;
    params.in_flight = in_flight;
    return make_schedule(Collective(params), ranks);
}

/// Each step without its timestep and its number: what is sent, and with which tables.
auto messages(const Schedule& schedule) {
    std::multiset<std::tuple<Rank, Rank, ChunkId, Op, Timestep>> all;
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        all.emplace(step.from, step.to, step.chunk, step.op, schedule.table_timestep(id));
    }
    return all;
}

TEST(Stagger, LeavesEveryAllReduceAnAllReduceOfTheSameMessages) {
    for_each_staggered([]<class P>(const std::string& name, P params) {
        for (std::uint32_t ranks = 2; ranks <= 17; ++ranks)
            for (params.in_flight = 1; params.in_flight <= 3; ++params.in_flight) {
                params.slices = params.in_flight + 1 + ranks % 4;
                params.channels = 1 + ranks % 2;
                SCOPED_TRACE(name + ", " + std::to_string(ranks) + " ranks, " + std::to_string(params.in_flight));
                const Schedule schedule = make_schedule(Collective(params), ranks);
                EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt);
                P together = params;
                together.in_flight = 0;
                EXPECT_EQ(messages(schedule), messages(make_schedule(Collective(together), ranks)));
            }
    });
}

TEST(Stagger, KeepsASchedulesWhoseSlicesAllBeginTogether) {
    for (const std::uint32_t in_flight : {4u, 5u}) {
        const Schedule as_it_was = ring(4, 4, 0), schedule = ring(4, 4, in_flight);
        EXPECT_TRUE(schedule.table_timesteps.empty());
        EXPECT_EQ(schedule.timesteps(), as_it_was.timesteps());
    }
}

TEST(Stagger, OfARingTakesAHalfMoreForEachGroupOfSlices) {
    for (std::uint32_t ranks = 2; ranks <= 9; ++ranks)
        for (std::uint32_t slices = 2; slices <= 7; ++slices)
            for (std::uint32_t in_flight = 1; in_flight < slices; ++in_flight) {
                const std::uint32_t groups = (slices + in_flight - 1) / in_flight;
                EXPECT_EQ(ring(ranks, slices, in_flight).timesteps(), (groups + 1) * (ranks - 1));
            }
}

TEST(Stagger, HasThatManySlicesReducingAtATimeBesideThoseThatGather) {
    const Schedule schedule = ring(5, 6, 2);
    std::map<Timestep, std::set<std::uint32_t>> reducing, gathering;
    for (const Step& step : schedule.steps)
        (step.op == Op::reduce ? reducing : gathering)[step.timestep].insert(step.chunk.value / 5);
    EXPECT_THAT(reducing[Timestep{0}], ElementsAre(0, 1));
    EXPECT_THAT(reducing[Timestep{4}], ElementsAre(2, 3));
    EXPECT_THAT(gathering[Timestep{4}], ElementsAre(0, 1));
    EXPECT_THAT(gathering[Timestep{15}], ElementsAre(4, 5));
    EXPECT_EQ(reducing.rbegin()->first, Timestep{11});
}

/// Driven by dependencies, nothing but these waits would hold the later slices back.
TEST(Stagger, LetsARankBeginASliceWhenItHasReducedTheOneBeforeIt) {
    const Schedule schedule = ring(4, 5, 2);
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        if (schedule.table_timestep(id) != Timestep{0}) continue;
        const std::uint32_t slice = step.chunk.value / 4;
        const auto after = schedule.after(id);
        ASSERT_EQ(after.size(), slice < 2 ? 0u : 1u);
        if (slice < 2) continue;
        const Step& before = schedule.steps[after.front().value];
        EXPECT_EQ(before.to, step.from);
        EXPECT_EQ(before.chunk.value / 4, slice - 2);
        EXPECT_EQ(schedule.table_timestep(after.front()), Timestep{2});
    }
}

/// In a direct exchange a rank reduces the chunks of all others in one timestep.
TEST(Stagger, WaitsForAllThatARankReducesOfASliceWhereItReceivesFromSeveral) {
    DirectParams params;
    params.slices = 3;
    params.in_flight = 1;
    const Schedule schedule = make_schedule(Collective(params), 5);
    for (StepId id; id.value < schedule.steps.size(); ++id.value) {
        const Step& step = schedule.steps[id.value];
        if (step.op != Op::reduce || step.chunk.value < 5) continue;
        std::set<Rank> from;
        for (const StepId before : schedule.after(id)) {
            EXPECT_EQ(schedule.steps[before.value].to, step.from);
            EXPECT_EQ(schedule.steps[before.value].chunk.value / 5, step.chunk.value / 5 - 1);
            from.insert(schedule.steps[before.value].from);
        }
        EXPECT_EQ(from.size(), 4u);
    }
}

TEST(Stagger, IsRefusedWhereSlicesFollowEachOtherAsTheyAre) {
    DoubleBinaryTreeParams params;
    params.slices = 4;
    params.in_flight = 1;
    EXPECT_THROW(make_schedule(Collective(params), 8), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::stagger_test
