#include <gmock/gmock.h>

#include "models/network/transport/go_back_n.hpp"

namespace oscar::go_back_n_test {
namespace {

using ::testing::Eq;
using ::testing::Optional;

GoBackNParams three_on_the_way() {
    GoBackNParams params;
    params.window = 3;
    params.timeout = 10_us;
    return params;
}

void send(GoBackNSender& sender, int packets, Time now) {
    for (int i = 0; i < packets; ++i) sender.sent(now);
}

TEST(GoBackNSender, SendsInOrderUntilTheWindowIsFull) {
    GoBackNSender sender(three_on_the_way());
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
    sender.offer(5);
    for (std::uint64_t i = 0; i < 3; ++i) {
        EXPECT_THAT(sender.next(), Optional(i));
        sender.sent(0_ps);
    }
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
    sender.answered({2}, 1_us);
    EXPECT_THAT(sender.next(), Optional(3u));
    EXPECT_EQ(sender.acknowledged(), 2u);
}

TEST(GoBackNSender, ReturnsToThePacketThatIsAskedFor) {
    GoBackNSender sender(three_on_the_way());
    sender.offer(5);
    send(sender, 3, 0_ps);
    sender.answered({1, true}, 1_us);   // 0 has come, 1 has not
    EXPECT_THAT(sender.next(), Optional(1u));
}

TEST(GoBackNSender, IgnoresWhatIsAskedForAndWasAcknowledgedSince) {
    GoBackNSender sender(three_on_the_way());
    sender.offer(5);
    send(sender, 3, 0_ps);
    sender.answered({2}, 1_us);
    sender.answered({1, true}, 1_us);
    EXPECT_THAT(sender.next(), Optional(3u));
}

TEST(GoBackNSender, SkipsWhatIsAcknowledgedWhileItGoesBack) {
    GoBackNSender sender(three_on_the_way());
    sender.offer(5);
    send(sender, 3, 0_ps);
    sender.expired(10_us);
    EXPECT_THAT(sender.next(), Optional(0u));
    sender.answered({3}, 11_us);
    EXPECT_THAT(sender.next(), Optional(3u));
}

TEST(GoBackNSender, ItsClockRunsFromTheOldestPacketAndAnewFromEachNews) {
    GoBackNSender sender(three_on_the_way());
    sender.offer(5);
    EXPECT_THAT(sender.deadline(), Eq(std::nullopt));
    sender.sent(2_us);
    sender.sent(5_us);
    EXPECT_THAT(sender.deadline(), Optional(12_us));
    sender.answered({0}, 6_us);   // nothing new
    EXPECT_THAT(sender.deadline(), Optional(12_us));
    sender.answered({1}, 7_us);
    EXPECT_THAT(sender.deadline(), Optional(17_us));
    sender.answered({2}, 8_us);   // all has come
    EXPECT_THAT(sender.deadline(), Eq(std::nullopt));
    sender.sent(20_us);
    EXPECT_THAT(sender.deadline(), Optional(30_us));
    sender.expired(30_us);
    EXPECT_THAT(sender.next(), Optional(2u));
    EXPECT_THAT(sender.deadline(), Eq(std::nullopt));
    sender.sent(31_us);
    EXPECT_THAT(sender.deadline(), Optional(41_us));
}

TEST(GoBackNReceiver, TakesOnlyWhatIsNextAndAsksOnceForAGap) {
    GoBackNReceiver receiver;
    const auto first = receiver.received(0);
    EXPECT_EQ(first.delivered, 1u);
    EXPECT_EQ(first.answer->expected, 1u);
    EXPECT_FALSE(first.answer->missing);
    const auto ahead = receiver.received(2);
    EXPECT_EQ(ahead.delivered, 0u);
    EXPECT_EQ(ahead.answer->expected, 1u);
    EXPECT_TRUE(ahead.answer->missing);
    EXPECT_FALSE(receiver.received(3).answer.has_value());
    EXPECT_EQ(receiver.received(1).delivered, 1u);
    EXPECT_EQ(receiver.received(2).delivered, 1u);   // it was not kept, but sent again
    EXPECT_TRUE(receiver.received(4).answer->missing);
}

TEST(GoBackNReceiver, AcknowledgesAgainWhatComesTwice) {
    GoBackNReceiver receiver;
    receiver.received(0);
    const auto again = receiver.received(0);
    EXPECT_EQ(again.delivered, 0u);
    EXPECT_EQ(again.answer->expected, 1u);
    EXPECT_FALSE(again.answer->missing);
}

}   // namespace
}   // namespace oscar::go_back_n_test
