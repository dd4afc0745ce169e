#include "models/partition/cost_floor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace oscar::cost_floor_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Costs = std::vector<std::uint32_t>;

TEST(CostFloor, RaisesCheapRunsEvenlyAndLeavesTheOthers) {
    // Runs of four: 10 is 10 short of 4 * 5, two and a half each; 20 is enough; the last two want 10 and have 1.
    EXPECT_THAT(with_floor(Costs{4, 3, 2, 1, 20, 0, 0, 0, 1, 0}, 4, 5),
                ElementsAre(4 + 3, 3 + 3, 2 + 2, 1 + 2, 20, 0, 0, 0, 1 + 5, 0 + 4));
}

TEST(CostFloor, IsOfRunsAndNotOfElements) {
    EXPECT_THAT(with_floor(Costs{0, 10}, 2, 5), ElementsAre(0, 10));
    EXPECT_THAT(with_floor(Costs{0, 10}, 1, 5), ElementsAre(5, 10));
}

TEST(CostFloor, LeavesNoCostsAndAFloorOfZeroAsTheyAre) {
    EXPECT_THAT(with_floor({}, 64, 1000), IsEmpty());
    EXPECT_THAT(with_floor(Costs{3, 0, 2}, 2, 0), ElementsAre(3, 0, 2));
}

/// Costs of a run, of the whole, in order.
std::vector<std::uint64_t> of_runs(const Costs& costs, std::size_t granularity) {
    std::vector<std::uint64_t> sums;
    for (std::size_t begin = 0; begin < costs.size(); begin += granularity)
        sums.push_back(
            std::accumulate(costs.begin() + static_cast<std::ptrdiff_t>(begin),
                            costs.begin() + static_cast<std::ptrdiff_t>(std::min(begin + granularity, costs.size())),
                            std::uint64_t{0}));
    return sums;
}

TEST(CostFloor, MakesEachRunCostTheLargerOfItsCostAndItsFloorAndLowersNoElement) {
    std::mt19937_64 random(17);
    for (int round = 0; round < 200; ++round) {
        Costs costs(random() % 1000);
        for (std::uint32_t& cost : costs) cost = static_cast<std::uint32_t>(random() % 4096);
        const std::uint32_t granularity = 1 + static_cast<std::uint32_t>(random() % 100);
        const auto floor = static_cast<std::uint32_t>(random() % 65'536 >> random() % 16);
        const Costs raised = with_floor(costs, granularity, floor);
        ASSERT_EQ(raised.size(), costs.size());
        for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_GE(raised[i], costs[i]);
        const auto before = of_runs(costs, granularity), after = of_runs(raised, granularity);
        for (std::size_t run = 0; run < before.size(); ++run) {
            const std::size_t elements = std::min<std::size_t>(granularity, costs.size() - run * granularity);
            EXPECT_EQ(after[run], std::max(before[run], std::uint64_t{floor} * elements)) << round << " " << run;
        }
    }
}

}   // namespace
}   // namespace oscar::cost_floor_test
