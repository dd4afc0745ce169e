// Places of values on machines with ports inside islands: by hand on four ranks, and as laws on larger ones.
#include "models/nic/value_places.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/collective/support.hpp"

namespace oscar::value_places_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Plan hierarchical_plan(std::uint32_t ranks, std::uint32_t island) {
    HierarchicalParams params;
    params.island = island;
    return {make_schedule(params, ranks), ElementType::integer, 8, Operation::all_reduce, false, island};
}

/// The step in which `from` sends chunk `chunk` to `to`.
StepId step_between(const Plan& plan, std::uint32_t from, std::uint32_t to, std::uint32_t chunk, Op op) {
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        if (step.from == Rank{from} && step.to == Rank{to} && step.chunk == ChunkId{chunk} && step.op == op) return {i};
    }
    ADD_FAILURE() << "no such step";
    return {};
}

/// Ranks 0, 1 and 2, 3 are islands. Chunk 0 is reduced by ranks 0 and 2: within islands at 0 and 2, then at 2.
TEST(ValuePlaces, OfFourRanksOnTwoIslands) {
    const Plan plan = hierarchical_plan(4, 2);
    const ValuePlaces places(plan, 2);
    ASSERT_TRUE(places.two_tiers());
    const StepId to_0 = step_between(plan, 1, 0, 0, Op::reduce), to_2 = step_between(plan, 3, 2, 0, Op::reduce);
    const StepId across = step_between(plan, 0, 2, 0, Op::reduce), back = step_between(plan, 2, 0, 0, Op::copy);
    const StepId to_1 = step_between(plan, 0, 1, 0, Op::copy);
    for (const StepId inside : {to_0, to_2, to_1}) EXPECT_EQ(places.tier(inside), Tier::inside);
    for (const StepId between : {across, back}) EXPECT_EQ(places.tier(between), Tier::between);

    EXPECT_TRUE(places.sent_from_memory(across));    // where the kernel of rank 0 has added it up
    EXPECT_TRUE(places.operand_in_memory(across));   // as has that of rank 2
    EXPECT_THAT(places.before(across), ElementsAre(to_2));
    EXPECT_FALSE(places.sent_from_memory(back));   // the NIC of rank 2 has just added it
    EXPECT_TRUE(places.goes_to_memory(back));      // rank 0 hands it to rank 1
    EXPECT_TRUE(places.goes_to_memory(across));    // and rank 2 to rank 3
    EXPECT_THAT(places.before(back), IsEmpty());   // it replaces what is there
    EXPECT_FALSE(places.goes_to_memory(to_1));
    for (const StepId other_side : {across, to_1}) EXPECT_TRUE(places.changes_side(other_side));
    EXPECT_TRUE(places.changes_side(to_0));   // kernels read all that a port sends
    EXPECT_FALSE(places.changes_side(back));
}

/// Ranks 0 and 1 are an island, and their switch adds; in the network a switch does, and all is staged in GPU memory.
TEST(ValuePlaces, OfSwitchesAreNeitherOnOneSideNorOnTheOther) {
    HierarchicalParams params;
    params.island = 2;
    params.inside = InsideIsland::island_switch;
    const Plan island(make_schedule(params, 2), ElementType::integer, 8, Operation::all_reduce, false, 2);
    const Plan network(make_schedule(InNetworkParams{}, 2), ElementType::integer, 8);
    const ValuePlaces in_island(island, 2), staged(network, 1, true);
    for (const auto& [plan, places] : {std::pair(&island, &in_island), std::pair(&network, &staged)})
        for (std::uint32_t i = 0; i < plan->schedule.steps.size(); ++i)
            EXPECT_EQ(places->changes_side(StepId{i}), plan->sender(StepId{i}).value < 2) << i;
}

TEST(ValuePlaces, OfOneTierAreLocalValuesInMemoryAlone) {
    const Plan plan = hierarchical_plan(8, 4);
    const ValuePlaces places(plan, 1);
    EXPECT_FALSE(places.two_tiers());
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        EXPECT_EQ(places.tier(StepId{i}), Tier::between);
        EXPECT_EQ(places.sent_from_memory(StepId{i}), plan.addends(StepId{i}) == 1);
        EXPECT_FALSE(places.goes_to_memory(StepId{i}));
        EXPECT_THAT(places.before(StepId{i}), IsEmpty());
    }
}

TEST(ValuePlaces, HaveNoTiersWhereNoStepIsInsideAnIsland) {
    const Plan plan(make_schedule(RingParams{}, 4), ElementType::integer, 8);
    EXPECT_FALSE(ValuePlaces(plan, 1).two_tiers());
    EXPECT_TRUE(ValuePlaces(plan, 2).two_tiers());   // half of the ring's steps are
}

/// On every schedule: what a port sends or adds to was written if a NIC had it, and what a NIC reads was not.
TEST(ValuePlaces, FollowEachChunkThroughAnySchedule) {
    for (const std::uint32_t island : {2u, 3u, 4u})
        for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
            if constexpr (requires { make_schedule(P{}, 12u); }) {
                SCOPED_TRACE(std::string(kind.name) + ", island " + std::to_string(island));
                const Plan plan(make_schedule(P{}, 12), ElementType::float32, 32);
                const ValuePlaces places(plan, island);
                std::map<std::pair<Rank, ChunkId>, std::optional<StepId>> in_nic;   // by the step that brought it there
                for (StepId id; id.value < plan.schedule.steps.size(); ++id.value) {
                    const Step& step = plan.schedule.steps[id.value];
                    auto &sent = in_nic[{step.from, step.chunk}], &taken = in_nic[{step.to, step.chunk}];
                    if (places.tier(id) == Tier::between) {
                        EXPECT_EQ(places.sent_from_memory(id), places.two_tiers() ? !sent : plan.addends(id) == 1);
                        if (places.two_tiers() && plan.adds(id)) {
                            EXPECT_EQ(places.operand_in_memory(id), !taken);
                        }
                        taken = id;
                        continue;
                    }
                    for (const auto& in : {sent, plan.adds(id) ? taken : std::nullopt}) {
                        EXPECT_TRUE(!in || places.goes_to_memory(*in));
                    }
                    sent.reset();
                    taken.reset();
                }
            }
        });
}

}   // namespace
}   // namespace oscar::value_places_test
