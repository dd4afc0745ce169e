#include <gmock/gmock.h>

#include "models/network/transport/selective_repeat.hpp"

namespace oscar::selective_repeat_test {
namespace {

using ::testing::Eq;
using ::testing::Optional;

SelectiveParams five_on_the_way() {
    SelectiveParams params;
    params.window = 5;
    params.reorder = 8;
    params.timeout = 10_us;
    return params;
}

struct SelectiveSending : ::testing::Test {
    SelectiveSending() {
        sender.offer(9);
        for (int i = 0; i < 5; ++i) sender.sent(0_ps);   // 0 .. 4
    }
    SelectiveSender sender{five_on_the_way()};
};

TEST_F(SelectiveSending, StopsWhenTheWindowIsFull) {
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
    sender.answered({1}, 1_us);
    EXPECT_THAT(sender.next(), Optional(5u));
}

TEST_F(SelectiveSending, RepeatsOnlyWhatIsMissingBeforeThatWhichWasKept) {
    sender.answered({1}, 1_us);
    sender.answered({1, true, 2}, 2_us);
    sender.answered({1, false, 4}, 3_us);   // 1 and 3 are missing
    EXPECT_THAT(sender.next(), Optional(1u));
    sender.sent(3_us);
    EXPECT_THAT(sender.next(), Optional(3u));
    sender.sent(3_us);
    EXPECT_THAT(sender.next(), Optional(5u));   // each once
}

TEST_F(SelectiveSending, RepeatsASecondTimeAfterTheTimeoutAllThatWasNotKept) {
    sender.answered({0, true, 1}, 1_us);
    sender.sent(2_us);   // 0
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
    EXPECT_THAT(sender.deadline(), Optional(11_us));   // from the last news
    sender.expired(11_us);
    for (const std::uint64_t missing : {0u, 2u, 3u, 4u}) {
        EXPECT_THAT(sender.next(), Optional(missing));
        sender.sent(12_us);
    }
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
    EXPECT_THAT(sender.deadline(), Optional(22_us));
}

TEST_F(SelectiveSending, ForgetsWhatIsAcknowledged) {
    sender.answered({0, true, 3}, 1_us);
    sender.answered({4}, 2_us);
    EXPECT_THAT(sender.next(), Optional(5u));
    EXPECT_EQ(sender.acknowledged(), 4u);
    sender.answered({5}, 3_us);
    EXPECT_THAT(sender.deadline(), Eq(std::nullopt));
}

TEST(SelectiveSender, NeverHasMoreOnTheWayThanTheReceiverKeeps) {
    SelectiveParams params = five_on_the_way();
    params.reorder = 2;
    SelectiveSender sender(params);
    sender.offer(9);
    sender.sent(0_ps);
    EXPECT_THAT(sender.next(), Optional(1u));
    sender.sent(0_ps);
    EXPECT_THAT(sender.next(), Eq(std::nullopt));
}

TEST(SelectiveReceiver, KeepsWhatComesAheadAndDeliversItBehindTheMissingOne) {
    SelectiveReceiver receiver(five_on_the_way());
    const auto ahead = receiver.received(1);
    EXPECT_EQ(ahead.delivered, 0u);
    EXPECT_EQ(ahead.answer->expected, 0u);
    EXPECT_TRUE(ahead.answer->missing);
    EXPECT_THAT(ahead.answer->kept, Optional(1u));
    const auto further = receiver.received(3);
    EXPECT_FALSE(further.answer->missing);   // it has asked
    EXPECT_THAT(further.answer->kept, Optional(3u));
    const auto missing = receiver.received(0);
    EXPECT_EQ(missing.delivered, 2u);   // 0 and 1
    EXPECT_EQ(missing.answer->expected, 2u);
    EXPECT_TRUE(receiver.received(4).answer->missing);   // now for 2
    EXPECT_EQ(receiver.received(2).delivered, 3u);
}

TEST(SelectiveReceiver, DropsWhatIsTooFarAheadOrComesTwice) {
    SelectiveReceiver receiver(five_on_the_way());
    EXPECT_THAT(receiver.received(7).answer->kept, Optional(7u));
    EXPECT_THAT(receiver.received(8).answer->kept, Eq(std::nullopt));
    receiver.received(0);
    EXPECT_EQ(receiver.received(0).delivered, 0u);
    EXPECT_THAT(receiver.received(8).answer->kept, Optional(8u));
}

}   // namespace
}   // namespace oscar::selective_repeat_test
