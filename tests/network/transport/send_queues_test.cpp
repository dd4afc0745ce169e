#include "models/network/transport/send_queues.hpp"

#include <gmock/gmock.h>

namespace oscar::send_queues_test {
namespace {

using ::testing::Optional;

constexpr Hop first{3, 1};

TEST(SendQueues, AreSharedByFlowsOfOneLinkChannelAndKey) {
    SendQueues queues;
    const std::uint32_t queue = queues.shared(first, 7);
    EXPECT_EQ(queues.shared(first, 7), queue);
    EXPECT_NE(queues.shared(first, 8), queue);
    EXPECT_NE(queues.shared({3, 0}, 7), queue);
    EXPECT_NE(queues.shared({4, 1}, 7), queue);
    EXPECT_NE(queues.add_own(0), queues.add_own(1));
}

TEST(SendQueues, SendTheMessagesOfAllTheirFlowsInOrder) {
    SendQueues queues;
    const std::uint32_t queue = queues.shared(first, 0);
    EXPECT_EQ(queues.next(queue), std::nullopt);
    queues.offer(queue, 5, 2);
    queues.offer(queue, 6, 1);
    queues.offer(queue, 5, 1);
    std::vector<std::uint32_t> order;
    while (const auto flow = queues.next(queue)) {
        order.push_back(*flow);
        queues.hand_over(queue);
        queues.departed(queue);
    }
    EXPECT_THAT(order, ::testing::ElementsAre(5, 5, 6, 5));
}

TEST(SendQueues, HandTheirLinkOnePacketAtATime) {
    SendQueues queues;
    const std::uint32_t queue = queues.shared(first, 0), own = queues.add_own(9);
    queues.offer(queue, 5, 2);
    for (const std::uint32_t q : {queue, own}) {
        ASSERT_TRUE(queues.next(q));
        queues.hand_over(q);
        EXPECT_EQ(queues.next(q), std::nullopt);
        queues.departed(q);
        EXPECT_TRUE(queues.next(q));
    }
}

TEST(SendQueues, OfAnAnsweredFlowAlwaysHaveItNext) {
    SendQueues queues;
    const std::uint32_t own = queues.add_own(9);
    for (int i = 0; i < 3; ++i) {
        EXPECT_THAT(queues.next(own), Optional(9u));
        queues.hand_over(own);
        queues.departed(own);
    }
    queues.offer(own, 9, 4);
    EXPECT_THAT(queues.next(own), Optional(9u));
}

}   // namespace
}   // namespace oscar::send_queues_test
