// Reduce, gather and scatter: from and to rank 0.
#include <gmock/gmock.h>

#include "models/collective/algorithms/rooted/gather.hpp"
#include "models/collective/algorithms/rooted/reduce.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::rooted_test {
namespace {

TEST(RootedCollectives, DoWhatTheyPromiseInEveryShape) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
        for (const std::uint32_t slices : {1u, 3u}) {
            const CollectiveParams common{Issue::dependency, slices};
            for (const ReduceShape shape : {ReduceShape::binomial, ReduceShape::chain})
                EXPECT_EQ(find_problem(Operation::reduce, make_schedule(ReduceToRootParams{common, shape}, ranks)),
                          std::nullopt);
            for (const RootedShape shape : {RootedShape::direct, RootedShape::binomial}) {
                EXPECT_EQ(find_problem(Operation::gather, make_schedule(GatherToRootParams{{common, shape}}, ranks)),
                          std::nullopt);
                EXPECT_EQ(
                    find_problem(Operation::scatter, make_schedule(ScatterFromRootParams{{common, shape}}, ranks)),
                    std::nullopt);
            }
        }
}

/// What only passes through a rank is no result of it, and need not go to its GPU memory.
TEST(RootedCollectives, CompleteValuesWhereTheyAreWanted) {
    const Plan gather(make_schedule(GatherToRootParams{{{}, RootedShape::binomial}}, 8), ElementType::integer, 8,
                      Operation::gather);
    for (std::uint32_t i = 0; i < gather.schedule.steps.size(); ++i)
        EXPECT_EQ(gather.completes(StepId{i}), gather.schedule.steps[i].to == Rank{0});
    const Plan reduce(make_schedule(ReduceToRootParams{}, 8), ElementType::integer, 8, Operation::reduce);
    std::uint32_t complete = 0;
    for (std::uint32_t i = 0; i < reduce.schedule.steps.size(); ++i) complete += reduce.completes(StepId{i}) ? 1 : 0;
    EXPECT_EQ(complete, 1u);
}

}   // namespace
}   // namespace oscar::rooted_test
