// One rank's values, as steps change them.
#include "models/collective/endpoint/rank_values.hpp"

#include <gmock/gmock.h>

#include <bit>

#include "tests/collective/support.hpp"

namespace oscar {
namespace {

using testing::ElementsAre;

Symbol bits(float value) { return std::bit_cast<Symbol>(value); }

/// A rank that gets a sum, then a copy, of chunk 0 of two.
TEST(RankValues, AddOrCopyWhatAStepBroughtToItsChunk) {
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    RankValues values(plan);
    values.begin({1, 2, 3, 4}, make_layout(EqualParams{}, 4, {2, 1}, {}));
    for (StepId id; id.value < plan.schedule.steps.size(); ++id.value) {
        const Step& step = plan.schedule.steps[id.value];
        if (step.chunk != ChunkId{0}) continue;
        values.begin({1, 2, 3, 4}, make_layout(EqualParams{}, 4, {2, 1}, {}));
        values.take_in(id, std::vector<Symbol>{10, 20});
        if (step.op == Op::reduce) EXPECT_THAT(values.all(), ElementsAre(11, 22, 3, 4));
        else EXPECT_THAT(values.all(), ElementsAre(10, 20, 3, 4));
        EXPECT_EQ(values.size_of(id), 2u);
        EXPECT_THAT(values.carried(id), ElementsAre(values.all()[0], values.all()[1]));
    }
}

/// All ranks send to each directly: three sums of floats meet at rank 0, whose order decides the last bit.
TEST(RankValues, AddFloatsInTheOrderOfTheScheduleWhateverComesFirst) {
    const Plan plan(make_schedule(DirectParams{}, 4), ElementType::float32, 32);
    std::vector<StepId> sums;
    for (StepId id; id.value < plan.schedule.steps.size(); ++id.value) {
        const Step& step = plan.schedule.steps[id.value];
        if (step.op == Op::reduce && step.to == Rank{0}) sums.push_back(id);
    }
    ASSERT_EQ(sums.size(), 3u);
    const std::vector<float> came{1e8f, -1e8f, 0.5f};   // the sum of 0.25 and these is 0.5 or 0.75, by their order
    const auto sum_in = [&](const std::vector<std::size_t>& order) {
        RankValues values(plan);
        values.begin(std::vector<Symbol>(4, bits(0.25f)), make_layout(EqualParams{}, 4, {4, 1}, {}));
        for (const std::size_t i : order) values.take_in(sums[i], std::vector<Symbol>{bits(came[i])});
        const auto chunk = plan.schedule.steps[sums[0].value].chunk;
        return std::bit_cast<float>(values.layout().gather(chunk, values.all())[0]);
    };
    const float in_order = sum_in({0, 1, 2});
    for (const auto& order : std::vector<std::vector<std::size_t>>{{0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}})
        EXPECT_EQ(sum_in(order), in_order);
}

}   // namespace
}   // namespace oscar
