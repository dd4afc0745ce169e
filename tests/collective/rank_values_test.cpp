// One rank's values, as steps change them.
#include "models/collective/endpoint/rank_values.hpp"

#include <gmock/gmock.h>

#include <bit>

#include "tests/collective/support.hpp"

namespace oscar::rank_values_test {
namespace {

using ::testing::ElementsAre;

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
        EXPECT_THAT(values.outgoing_symbols(id), ElementsAre(values.all()[0], values.all()[1]));
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

/// Segments of unequal lengths, all over the bucket.
TEST(RankValues, CarryAndTakeInTheSegmentsOfAChunkInOrder) {
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    std::vector<std::vector<Segment>> chunks(2);
    std::uint32_t end = 0;
    for (std::uint32_t s = 0; s < 60; ++s) {
        chunks[s * s % 3 % 2].push_back({end, end + s * 7 % 41});
        end += s * 7 % 41;
    }
    const ChunkLayout layout(chunks);
    std::vector<Symbol> bucket(end);
    for (std::uint32_t i = 0; i < end; ++i) bucket[i] = static_cast<Symbol>(i * i % 1000);
    for (StepId id; id.value < plan.schedule.steps.size(); ++id.value) {
        const Step& step = plan.schedule.steps[id.value];
        RankValues values(plan);
        values.begin(bucket, layout);
        const std::vector<Symbol> carried = values.outgoing_symbols(id);
        EXPECT_EQ(carried, layout.gather(step.chunk, std::span<const Symbol>(bucket)));
        values.take_in(id, std::vector<Symbol>(carried.size(), 5));
        std::vector<Symbol> expected = bucket;
        layout.for_each(step.chunk, [&](std::uint32_t i, std::uint32_t) {
            expected[i] = step.op == Op::reduce ? expected[i] + 5 : 5;
        });
        EXPECT_TRUE(std::ranges::equal(values.all(), expected));
    }
}

TEST(RankValues, AreSharedByCopiesUntilOneChangesThem) {
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::integer, 8);
    RankValues values(plan);
    values.begin({1, 2, 3, 4}, make_layout(EqualParams{}, 4, {2, 1}, {}));
    RankValues copy = values;
    EXPECT_EQ(copy.all().data(), values.all().data());
    EXPECT_TRUE(copy.equal(values));
    copy.take_in(StepId{0}, std::vector<Symbol>{10, 20});
    EXPECT_THAT(values.all(), ElementsAre(1, 2, 3, 4));
    EXPECT_FALSE(copy.equal(values));
    copy.share(values);
    EXPECT_EQ(copy.all().data(), values.all().data());
}

}   // namespace
}   // namespace oscar::rank_values_test
