#include "models/network/transport/flow.hpp"

#include <gtest/gtest.h>

namespace oscar {

using namespace literals;
namespace {

TEST(FlowMessages, NumberThePacketsThroughAllMessages) {
    FlowMessages messages;
    const TimeRun first[] = {{1_ns, 2, 1_ns}}, second[] = {{9_ns}};
    messages.add({70, 2, 100_B, 60_B}, first);
    messages.add({71, 1, 40_B, 40_B}, second);
    EXPECT_EQ(messages.end(), 3u);
    const FlowMessages::Packet last_of_first = messages.at(1), of_second = messages.at(2);
    EXPECT_EQ(last_of_first.tag, 70u);
    EXPECT_EQ(last_of_first.sequence, 1u);
    EXPECT_EQ(last_of_first.wire, 60_B);
    EXPECT_EQ(last_of_first.eligible, 2_ns);
    EXPECT_EQ(of_second.tag, 71u);
    EXPECT_EQ(of_second.sequence, 0u);
    EXPECT_EQ(of_second.eligible, 9_ns);
}

TEST(TransportFlow, ForgetsWhatIsDeliveredAndAcknowledgedAndNothingElse) {
    TransportFlow flow{{}, make_protocol(GoBackNParams{})};
    const TimeRun at[] = {{0_ns}};
    for (const std::uint64_t tag : {70u, 71u}) flow.messages.add({tag, 1, 10_B, 10_B}, at);
    flow.ends.sender->offer(2);
    flow.ends.sender->sent(0_ns);
    flow.delivered = 1;
    flow.forget_done();
    EXPECT_EQ(flow.messages.at(0).tag, 70u) << "delivered, but not acknowledged";
    flow.ends.sender->answered({1}, 5_ns);
    flow.forget_done();
    EXPECT_EQ(flow.messages.at(1).tag, 71u);
    EXPECT_EQ(flow.messages.end(), 2u);
}

}   // namespace
}   // namespace oscar
