#include "models/network/grid/router_source.hpp"

#include <gtest/gtest.h>

#include "models/network/grid/router_clock.hpp"

namespace oscar {

using namespace literals;

namespace {

/// All packets of transfer t may leave from t ns on.
RouterSource source() {
    return RouterSource([](RouterPacket packet) { return Time{1000 * std::int64_t{packet.transfer}}; });
}
std::pair<int, int> number_of(const std::optional<RouterPacket>& packet) {
    return packet ? std::pair(static_cast<int>(packet->transfer), static_cast<int>(packet->sequence))
                  : std::pair(-1, -1);
}

TEST(ARouterSource, SendsTheMessagesOfAQueueInOrderPacketByPacket) {
    RouterSource node = source();
    node.send(7, {0, 2});
    node.send(7, {1, 1});
    EXPECT_EQ(number_of(node.next({})), std::pair(0, 0));
    node.left(5_ns);
    EXPECT_EQ(number_of(node.next(5_ns)), std::pair(0, 1));
    node.left(10_ns);
    EXPECT_EQ(number_of(node.next(10_ns)), std::pair(1, 0));
    node.left(15_ns);
    EXPECT_FALSE(node.next(15_ns));
    EXPECT_FALSE(node.first_eligible());
}

TEST(ARouterSource, LetsItsQueuesTakeTurns) {
    RouterSource node = source();
    node.send(0, {0, 3, 1});
    node.send(1, {0, 2, 0});
    std::vector<std::uint32_t> sequences;
    for (Time now; const auto packet = node.next(now); node.left(now += 1_ns)) sequences.push_back(packet->sequence);
    // Both heads may leave from one instant on: the smaller order is first, and from then on they take turns.
    EXPECT_EQ(sequences, (std::vector<std::uint32_t>{0, 0, 1, 1, 2}));
}

TEST(ARouterSource, PassesOverAHeadThatMayNotLeaveYet) {
    RouterSource node = source();
    node.send(0, {9, 1});
    node.send(1, {3, 1});
    EXPECT_EQ(node.first_eligible(), 3_ns);
    EXPECT_FALSE(node.next(2'999_ps));
    EXPECT_EQ(number_of(node.next(3_ns)), std::pair(3, 0));
    EXPECT_EQ(node.first_eligible(), 9_ns);
}

TEST(ARouterSource, SendsNoMessageBeforeTheTimeFromWhichItMayBeSent) {
    RouterSource node = source();
    node.send(0, {1, 1, 0, 4_ns});
    EXPECT_EQ(node.first_eligible(), 4_ns);
    EXPECT_FALSE(node.next(3_ns));
    EXPECT_EQ(number_of(node.next(4_ns)), std::pair(1, 0));
}

TEST(ARouterSource, ForgetsTurnsWhenAJobBegins) {
    const auto first_of_two = [](RouterSource& node) {
        node.send(0, {0, 1, 0});
        node.send(1, {0, 1, 1});
        const auto count = number_of(node.next(1_ns)).second;
        node.left(2_ns);
        node.next(2_ns);
        node.left(3_ns);
        return count;
    };
    RouterSource fresh = source(), used = source();
    used.send(0, {0, 5, 0});
    for (Time now; used.next(now); now += 1_ns) used.left(now);
    used.restart();
    EXPECT_EQ(first_of_two(used), first_of_two(fresh));
}

TEST(ARouterClock, NumbersTheCyclesFromItsOrigin) {
    const RouterClock clock{64_ns, 10_ns};
    EXPECT_EQ(clock.begin_of(0), 10_ns);
    EXPECT_EQ(clock.begin_of(3), 202_ns);
    EXPECT_EQ(clock.first_from(202_ns), 3u);
    EXPECT_EQ(clock.first_from(202'001_ps), 4u);
    EXPECT_EQ(clock.first_from({}), 0u);
}

}   // namespace
}   // namespace oscar
