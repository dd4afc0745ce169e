#include "models/collective/schedule/connections.hpp"

#include <gmock/gmock.h>

#include <set>

#include "models/collective/algorithms/collectives.hpp"

namespace oscar::connections_test {
namespace {

TEST(Connections, OfARingAreThoseToTheNextRankWhateverTheSteps) {
    const std::vector<Connection> connections = connections_of(make_schedule(RingParams{}, 5));
    ASSERT_EQ(connections.size(), 5u);
    for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(connections[r], (Connection{Rank{r}, Rank{(r + 1) % 5}, 0})) << r;
}

TEST(Connections, DifferByChannel) {
    const Step step{Rank{0}, Rank{1}, ChunkId{0}, Op::copy, {}}, other{Rank{0}, Rank{1}, ChunkId{1}, Op::copy, {}};
    Schedule schedule{2, 2, {other, step, other, step}};
    schedule.channels = {3, 1};
    EXPECT_THAT(connections_of(schedule),
                ::testing::ElementsAre(Connection{Rank{0}, Rank{1}, 1}, Connection{Rank{0}, Rank{1}, 3}));
}

TEST(Connections, OfEachCollectiveAreThoseOfItsStepsEachOnceInOrder) {
    for_each_kind(collectives, []<class P>(const Kind<P>&) {
        for (const std::uint32_t ranks : {2u, 4u, 16u}) {
            const Schedule schedule = make_schedule(P{}, ranks);
            std::set<Connection> expected;
            for (const Step& step : schedule.steps)
                expected.insert({step.from, step.to, schedule.channel_of(step.chunk)});
            EXPECT_TRUE(std::ranges::equal(connections_of(schedule), expected)) << ranks;
        }
    });
}

}   // namespace
}   // namespace oscar::connections_test
