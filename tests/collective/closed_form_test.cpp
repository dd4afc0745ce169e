#include "models/collective/schedule/closed_form.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar::closed_form_test {
namespace {

std::vector<StepCost> random_costs(std::size_t steps, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<StepCost> costs(steps);
    for (StepCost& cost : costs) cost = {{}, Time{static_cast<std::int64_t>(random() % 1000)}, Time{50}, {}, {}};
    return costs;
}

Time ring_time(std::uint32_t ranks, const std::vector<StepCost>& costs, Issue issue) {
    return closed_form(make_schedule(RingParams{issue, 1}, ranks), costs, issue).value();
}

TEST(ClosedForm, OfEqualStepsIsTwoNMinusOneTimesTheStep) {
    for (const std::uint32_t n : {2u, 4u, 7u}) {
        const std::vector<StepCost> costs(2 * (n - 1) * n, {Time{3}, Time{100}, Time{7}, Time{11}, {}});
        EXPECT_EQ(ring_time(n, costs, Issue::lock_step).ps, 2 * (n - 1) * (3 + 100 + 7 + 11));
        EXPECT_EQ(ring_time(n, costs, Issue::dependency).ps, 2 * (n - 1) * (3 + 100 + 7 + 11));
    }
}

TEST(ClosedForm, AddsTheWriteBackOfTheLastStepOnly) {
    std::vector<StepCost> costs(4, {{}, Time{10}, {}, {}, {}});
    costs[0].after = Time{5};   // hidden behind the second timestep
    costs[3].after = Time{100};
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        EXPECT_EQ(ring_time(2, costs, issue).ps, 10 + 10 + 100);
}

TEST(ClosedForm, DependencyDrivenLiesBetweenTheSlowestRankAndLockStep) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE(seed);
        const auto n = static_cast<std::uint32_t>(2 + seed % 7);
        const auto costs = random_costs(std::size_t{2} * (n - 1) * n, seed);
        const Time driven = ring_time(n, costs, Issue::dependency), lock = ring_time(n, costs, Issue::lock_step);
        EXPECT_LE(driven, lock);
        for (std::uint32_t r = 0; r < n; ++r) {
            Time busy;
            for (std::size_t t = 0; t < 2 * (n - 1); ++t) busy += costs[t * n + r].wire;
            EXPECT_GE(driven, busy);
        }
    }
}

TEST(ClosedForm, DoesNotChangeWhenTheRingIsRotated) {
    const std::uint32_t n = 5;
    const auto costs = random_costs(std::size_t{2} * (n - 1) * n, 1);
    auto rotated = costs;
    for (std::size_t t = 0; t < 2 * (n - 1); ++t)
        for (std::size_t r = 0; r < n; ++r) rotated[t * n + (r + 2) % n] = costs[t * n + r];
    EXPECT_EQ(ring_time(n, costs, Issue::dependency), ring_time(n, rotated, Issue::dependency));
}

TEST(ClosedForm, DeclinesWhereARankSendsToAnotherBeforeItsLastMessageHasLeft) {
    BroadcastFromRootParams binomial, chain;   // rank 0 of a binomial one has all to send at once
    chain.shape = BroadcastShape::chain;
    const std::vector<StepCost> costs(3, {Time{3}, Time{100}, Time{7}, Time{11}, {}});
    EXPECT_EQ(closed_form(make_schedule(binomial, 4), costs, Issue::dependency), std::nullopt);
    EXPECT_EQ(closed_form(make_schedule(binomial, 4), costs, Issue::lock_step), Time{2 * 121});
    EXPECT_EQ(closed_form(make_schedule(chain, 4), costs, Issue::dependency), Time{3 * 121});
}

TEST(ClosedForm, DeclinesWhereARankSendsInAnotherChannelBeforeItsLastMessageHasLeft) {
    Schedule schedule{
        2,
        2,
        {{Rank{0}, Rank{1}, ChunkId{0}, Op::copy, Timestep{0}}, {Rank{0}, Rank{1}, ChunkId{1}, Op::copy, Timestep{1}}}};
    const std::vector<StepCost> costs(2, {Time{3}, Time{100}, Time{7}, Time{11}, {}});
    EXPECT_EQ(closed_form(schedule, costs, Issue::dependency), Time{3 + 2 * 100 + 7 + 11});
    schedule.channels = {0, 1};
    EXPECT_EQ(closed_form(schedule, costs, Issue::dependency), std::nullopt);
    EXPECT_EQ(closed_form(schedule, costs, Issue::lock_step), Time{2 * 121});
}

TEST(ClosedForm, DeclinesWhereSlicesShareALink) {
    const Schedule schedule = make_schedule(RingParams{Issue::lock_step, 2}, 3);
    EXPECT_FALSE(closed_form(schedule, std::vector<StepCost>(schedule.steps.size()), Issue::lock_step));
}

}   // namespace
}   // namespace oscar::closed_form_test
