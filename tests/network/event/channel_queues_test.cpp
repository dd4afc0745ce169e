#include "models/network/event/channel_queues.hpp"

#include <gmock/gmock.h>

namespace oscar {

using namespace literals;
namespace {

WaitingPacket ready_at(Time time, std::uint32_t transfer = 0) { return {transfer, 0, 0, {time, {}, {}}}; }

TEST(ChannelQueues, HaveOneQueueForEachKey) {
    ChannelQueues queues;
    const std::uint32_t b = queues.with(20), a = queues.with(10);
    EXPECT_NE(a, b);
    EXPECT_EQ(queues.with(10), a);
    EXPECT_EQ(queues.with(20), b);
    EXPECT_EQ(queues[b].key, 20u);
}

TEST(ChannelQueues, HoldWhatHasBeenPutInTheQueueOfAKey) {
    ChannelQueues queues;
    const std::uint32_t a = queues.with(10);
    queues.with(20);
    EXPECT_FALSE(queues.holds(10));
    queues[a].packets.push_back(ready_at(0_ns));
    EXPECT_TRUE(queues.holds(10));
    EXPECT_FALSE(queues.holds(20));
    EXPECT_FALSE(queues.holds(30));
}

TEST(ChannelQueues, ElectNobodyBeforeItsTurn) {
    ChannelQueues queues;
    EXPECT_TRUE(queues.empty());
    EXPECT_EQ(queues.elected(100_ns), nullptr);
    const std::uint32_t a = queues.with(10);
    queues[a].packets.push_back(ready_at(50_ns));
    queues.take_place(a, 0);
    EXPECT_FALSE(queues.empty());
    EXPECT_EQ(queues.next_turn(), 50_ns);
    EXPECT_EQ(queues.elected(50_ns - 1_ps), nullptr);
    EXPECT_EQ(queues.elected(50_ns), &queues[a]);
}

/// The order in which the queues are served, each as soon as it may.
std::vector<std::uint32_t> served(ChannelQueues& queues) {
    std::vector<std::uint32_t> order;
    while (!queues.empty()) order.push_back(queues.serve());
    return order;
}

TEST(ChannelQueues, ServeInTheOrderInWhichTheHeadsBeganToWaitAndAtOneInstantByTheirOrder) {
    ChannelQueues queues;
    const std::uint32_t a = queues.with(1), b = queues.with(2), c = queues.with(3);
    for (const auto& [queue, time] : {std::pair{a, 7_ns}, std::pair{b, 5_ns}, std::pair{c, 7_ns}})
        queues[queue].packets.push_back(ready_at(time));
    queues.take_place(a, 9);
    queues.take_place(b, 10);
    queues.take_place(c, 8);
    EXPECT_THAT(served(queues), ::testing::ElementsAre(b, c, a));
}

TEST(ChannelQueues, PutAQueueThatHasBeenServedBehindThoseThatWait) {
    ChannelQueues queues;
    const std::uint32_t a = queues.with(1), b = queues.with(2);
    for (const std::uint32_t queue : {a, b}) queues[queue].packets.push_back(ready_at(0_ns));
    queues[a].left = 20_ns;   // its last packet
    queues.take_place(a, 0);
    queues.take_place(b, 1);
    EXPECT_EQ(queues.elected(0_ns), &queues[b]);
    EXPECT_THAT(served(queues), ::testing::ElementsAre(b, a));
    queues.restart();
    queues.take_place(a, 0);
    queues.take_place(b, 1);
    EXPECT_THAT(served(queues), ::testing::ElementsAre(a, b)) << "as if nothing had been served";
}

}   // namespace
}   // namespace oscar
