// What happened over time, of three steps of two ranks by hand.
#include "sim/report/activity.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/report/causes/collective.hpp"

namespace oscar::activity_test {
namespace {

using namespace literals;
using test::Collective;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// 21 us in 40 intervals of 525 ns.
TEST(RunActivity, SharesTheTimeOfSpansAmongIntervals) {
    const Collective c;
    const RunActivity activity = *activity_of(c.outcome, c.schedule);
    EXPECT_EQ(activity.interval_ps, 525'000);
    ASSERT_THAT(activity.links, SizeIs(40));
    EXPECT_EQ(activity.links[14], 1);
    EXPECT_EQ(activity.links[15], 0.238);   // the link is busy until 8 us, 125 ns after the begin of this one
    EXPECT_EQ(activity.links[16], 0);
    EXPECT_NEAR(sum(activity.links) * 0.525, 8, 0.001);
    EXPECT_NEAR(sum(activity.encoders) * 0.525, 4 / 2.0, 0.001);   // that of one rank of two
    EXPECT_THAT(activity.decoders, Each(0));
    EXPECT_NEAR(sum(activity.sending) * 0.525, (8 + 2 + 9) / 2.0, 0.01);
    EXPECT_NEAR(sum(activity.arriving) * 0.525, (2 + 1 + 1) / 2.0, 0.01);
    ASSERT_THAT(activity.busiest_links, SizeIs(1));   // the other is unused
    EXPECT_EQ(activity.busiest_links[0].utilisation, activity.links);
}

TEST(RunActivity, BeginsWithTheFirstRank) {
    Collective c;
    c.outcome.first_start = 5_us;
    const RunActivity activity = *activity_of(c.outcome, c.schedule);
    EXPECT_EQ(activity.interval_ps, 400'000);
    EXPECT_NEAR(sum(activity.links) * 0.4, 3, 0.001);
}

TEST(RunActivity, NamesTheBusiestLinks) {
    Collective c;
    for (int i = 0; i < 20; ++i)
        c.outcome.links.push_back({"link" + std::to_string(10 + i), {{0_us, (i + 1) * 1_us}}, 1, 1, 0});
    const RunActivity activity = *activity_of(c.outcome, c.schedule);
    ASSERT_THAT(activity.busiest_links, SizeIs(16));
    EXPECT_EQ(activity.busiest_links.front().name, "link15");   // busy for 6 us; one of 8 us is older
    EXPECT_EQ(activity.busiest_links.back().name, "rank0->switch0");
}

TEST(RunActivity, OfNoTimeIsNone) {
    EXPECT_FALSE(activity_of({}, {}));
    EXPECT_FALSE(timesteps_of({}, {}));
    EXPECT_FALSE(chunk_balance_of({}, {}));
}

/// The messages of the steps: values and bytes.
Collective with_messages() {
    Collective c;
    c.outcome.records = {{100, 50, 0}, {100, 150, 0}, {200, 100, 0}};
    return c;
}

TEST(Timesteps, SayWhatEachCarried) {
    const Collective c = with_messages();
    const TimestepReport timesteps = *timesteps_of(c.outcome, c.schedule);
    EXPECT_THAT(timesteps.begin_ps, ElementsAre(0, 10'000'000));
    EXPECT_THAT(timesteps.end_ps, ElementsAre(10'000'000, 20'000'000));
    EXPECT_THAT(timesteps.bits_per_value, ElementsAre(8, 4));
    EXPECT_THAT(timesteps.imbalance, ElementsAre(1.5, 1));
}

TEST(ChunkBalance, ComparesTheBytesOfChunks) {
    Collective c = with_messages();
    EXPECT_EQ(chunk_balance_of(c.outcome, c.schedule)->least, 1);   // 50 + 100, and 150
    c.schedule.chunks = 5;
    c.schedule.steps = {};
    c.outcome.records = {};
    for (std::uint32_t chunk = 0; chunk < 5; ++chunk) {
        c.schedule.steps.push_back({Rank{0}, Rank{1}, ChunkId{chunk}, Op::copy, Timestep{0}, {}});
        c.outcome.records.push_back({1, 100 + 100 * chunk, 0});
    }
    const ChunkBalance balance = *chunk_balance_of(c.outcome, c.schedule);   // 100 to 500
    EXPECT_EQ(balance.chunks, 5u);
    EXPECT_THAT(
        (std::vector{balance.least, balance.first_quartile, balance.median, balance.third_quartile, balance.largest}),
        ElementsAre(0.333, 0.667, 1, 1.333, 1.667));
}

}   // namespace
}   // namespace oscar::activity_test
