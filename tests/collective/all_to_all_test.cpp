// The order in which the blocks of an all-to-all are sent.
#include "models/collective/algorithms/sharded/all_to_all.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::all_to_all_test {
namespace {

using ::testing::ElementsAre;

Schedule of_nodes(std::uint32_t ranks, std::uint32_t node) {
    return make_schedule(Collective{AllToAllParams{}}, ranks, node);
}

/// The receivers of a rank's blocks in the order of sending.
std::vector<std::uint32_t> receivers(const Schedule& schedule, std::uint32_t rank) {
    std::vector<std::uint32_t> list;
    for (const Step& step : schedule.steps)
        if (step.from == Rank{rank}) list.push_back(step.to.value);
    return list;
}

/// NCCL's order of four is 0, 1, 3, 2, of two 0, 1: first its own node from the next rank on, then the other.
TEST(AllToAll, GoesNodeByNodeAndThereByLocalRankInTheOrderOfNccl) {
    EXPECT_THAT(receivers(of_nodes(8, 4), 0), ElementsAre(1, 3, 2, 4, 5, 7, 6));
    EXPECT_THAT(receivers(of_nodes(8, 4), 5), ElementsAre(6, 4, 7, 1, 2, 0, 3));
    // Three nodes: of 0, 1, 3, 2 the third is none.
    EXPECT_THAT(receivers(of_nodes(6, 2), 0), ElementsAre(1, 2, 3, 4, 5));
}

TEST(AllToAll, GoesByNumberWhereThereIsOneNodeOrWhereAsked) {
    for (const std::uint32_t node : {1u, 4u, 8u}) EXPECT_THAT(receivers(of_nodes(4, node), 1), ElementsAre(2, 3, 0));
    AllToAllParams by_number;
    by_number.order = ExchangeOrder::number;
    EXPECT_THAT(receivers(make_schedule(Collective{by_number}, 8, 4), 0), ElementsAre(1, 2, 3, 4, 5, 6, 7));
    AllToAllParams named;
    named.node = 2;
    EXPECT_THAT(receivers(make_schedule(Collective{named}, 4), 0), ElementsAre(1, 2, 3)) << "no machine has islands";
    EXPECT_THAT(receivers(make_schedule(Collective{named}, 4), 1), ElementsAre(0, 3, 2));
}

/// By number, the first block that leaves a node goes to the same rank from all of its ranks.
TEST(AllToAll, HasEachRankReceiveFromOneAtATimeByNodes) {
    for (const std::uint32_t nodes : {2u, 3u, 4u, 5u, 10u})
        for (const std::uint32_t node : {2u, 3u, 4u, 8u}) {
            const std::uint32_t ranks = nodes * node;
            const Schedule schedule = of_nodes(ranks, node);
            EXPECT_EQ(find_problem(Operation::all_to_all, schedule), std::nullopt);
            for (std::uint32_t round = 0; round + 1 < ranks; ++round) {
                std::set<std::uint32_t> receiving;
                for (std::uint32_t r = 0; r < ranks; ++r) receiving.insert(receivers(schedule, r)[round]);
                EXPECT_EQ(receiving.size(), ranks) << nodes << " nodes of " << node << ", round " << round;
            }
        }
}

TEST(AllToAll, ReachesAllRanksWhereTheLastNodeHasFewer) {
    for (std::uint32_t ranks = 5; ranks <= 23; ++ranks) {
        const Schedule schedule = of_nodes(ranks, 4);
        EXPECT_EQ(find_problem(Operation::all_to_all, schedule), std::nullopt) << ranks;
        EXPECT_EQ(schedule.steps.size(), std::size_t{ranks} * (ranks - 1)) << ranks;
    }
}

}   // namespace
}   // namespace oscar::all_to_all_test
