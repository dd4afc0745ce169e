// Whether two users of a link meet there: steps of a round in lock-step, else senders.
#include "models/predict/link_sharing.hpp"

#include <gtest/gtest.h>

#include "models/network/topology/kinds/topologies.hpp"

namespace oscar::link_sharing_test {
namespace {

Schedule on_three_ranks() {
    Schedule schedule;
    schedule.ranks = 3;
    schedule.chunks = 1;
    return schedule;
}

/// Steps of rank 0 of three at a switch, each to a rank in a round; all leave by one link.
struct OfOneSender : ::testing::Test {
    Topology star = make_topology(TopologyKind(StarParams{}), 3, {});
    Schedule schedule = on_three_ranks();

    void step(std::uint32_t to, std::uint32_t round) {
        schedule.steps.push_back({Rank{0}, Rank{to}, ChunkId{0}, Op::copy, Timestep{round}});
    }
    bool shared(Issue issue) const { return shares_links(schedule, Routes(star, {}), issue); }
};

TEST_F(OfOneSender, TwoStepsOfOneRoundShareItsLinkInLockStepAloneForThereEachStepIsAUser) {
    step(1, 0);
    step(2, 0);
    EXPECT_TRUE(shared(Issue::lock_step));
    EXPECT_FALSE(shared(Issue::dependency)) << "a sender sends one message behind the other";
}

TEST_F(OfOneSender, StepsOfTwoRoundsDoNotMeet) {
    step(1, 0);
    step(2, 1);
    EXPECT_FALSE(shared(Issue::lock_step));
    EXPECT_FALSE(shared(Issue::dependency));
}

TEST(LinkSharing, OfTwoSendersToOneReceiverDependsOnRoundsInLockStepAlone) {
    const Topology star = make_topology(TopologyKind(StarParams{}), 3, {});
    Schedule schedule = on_three_ranks();
    schedule.steps = {{Rank{0}, Rank{2}, ChunkId{0}, Op::copy, Timestep{0}},
                      {Rank{1}, Rank{2}, ChunkId{0}, Op::copy, Timestep{1}}};
    EXPECT_FALSE(shares_links(schedule, Routes(star, {}), Issue::lock_step));
    EXPECT_TRUE(shares_links(schedule, Routes(star, {}), Issue::dependency)) << "nothing holds the second back";
}

TEST(LinkSharing, IsTakenForGrantedWhereEachPacketGoesItsOwnWay) {
    const Topology star = make_topology(TopologyKind(StarParams{}), 3, {});
    Schedule schedule = on_three_ranks();
    schedule.steps = {{Rank{0}, Rank{1}, ChunkId{0}, Op::copy, Timestep{0}}};
    EXPECT_FALSE(shares_links(schedule, Routes(star, {}), Issue::lock_step));
    EXPECT_TRUE(shares_links(schedule, Routes(star, {SprayParams{}}), Issue::lock_step));
}

}   // namespace
}   // namespace oscar::link_sharing_test
