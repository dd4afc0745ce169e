// What a packet's name stands for when it arrives.
#include "models/nic/wire/messages_in_flight.hpp"

#include <gmock/gmock.h>

namespace oscar::messages_in_flight_test {
namespace {

using namespace literals;

constexpr StepId step{3};

/// 250 bytes in packets of 100, or no bytes but that many.
std::shared_ptr<const Encoded> message(bool shows_bytes) {
    Encoded encoded;
    if (shows_bytes) encoded.bytes.resize(250, std::byte{1});
    else encoded.values.emplace();
    encoded.blocks = {{0, 250, 0, 250, {.values = 250}}};
    return std::make_shared<const Encoded>(std::move(encoded));
}

TEST(MessagesInFlight, SaysHowTheNetworkCarriesWhatIsPosted) {
    MessagesInFlight table(10, 100_B);
    const PacketTrain& passage = table.post(step, PacketKind::resent, message(true), {10_B});
    EXPECT_EQ(passage.packets.tag, (PacketName{step, PacketKind::resent}.tag(0)));
    EXPECT_EQ(passage.packets.packets, 3u);
    EXPECT_EQ(passage.packets.wire, 110_B);
    EXPECT_EQ(passage.packets.last_wire, 60_B);
    EXPECT_EQ(table.size(), 1u);
}

/// 110 B and 60 B, of which a link carries five in the time of four.
TEST(MessagesInFlight, TakesLongerOnTheWireAtAShareOfTheLinksRate) {
    MessagesInFlight table(10, 100_B);
    const PacketTrain& passage = table.post(step, PacketKind::message, message(true), {10_B, 0.8});
    EXPECT_EQ(passage.packets.wire, 138_B);   // 137.5
    EXPECT_EQ(passage.packets.last_wire, 75_B);
}

TEST(MessagesInFlight, HandsOutViewsOnTheBytesThatWerePosted) {
    MessagesInFlight table(10, 100_B);
    const auto posted = message(true);
    table.post(step, PacketKind::message, posted, {10_B});
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Delivery packet = table.delivery({step, PacketKind::message, i}, i);
        EXPECT_EQ(packet.step, step);
        EXPECT_EQ(packet.sequence, i);
        EXPECT_EQ(packet.last, i == 2);
        EXPECT_EQ(packet.bytes.data(), posted->bytes.data() + 100 * i);
        EXPECT_EQ(packet.bytes.size(), i == 2 ? 50u : 100u);
        EXPECT_EQ(packet.size, packet.bytes.size());
        EXPECT_EQ(packet.whole->bytes, posted);
    }
    const Delivery run = table.delivery({step, PacketKind::message, 2}, 1);
    EXPECT_EQ(run.first(), 1u);
    EXPECT_EQ(run.packets, 2u);
    EXPECT_EQ(run.bytes.data(), posted->bytes.data() + 100);
    EXPECT_EQ(run.size, 150u);
}

TEST(MessagesInFlight, TellsOnlyTheNumberOfBytesThatWereNotMade) {
    MessagesInFlight table(10, 100_B);
    table.post(step, PacketKind::message, message(false), {10_B});
    const Delivery packet = table.delivery({step, PacketKind::message, 2}, 2);
    EXPECT_TRUE(packet.bytes.empty());
    EXPECT_EQ(packet.size, 50u);
    EXPECT_TRUE(packet.last);
}

TEST(MessagesInFlight, KeepsARefusedMessageBesideTheOneThatAnswersTheRefusal) {
    MessagesInFlight table(10, 100_B);
    const auto refused = message(true), resent = message(true);
    table.post(step, PacketKind::message, refused, {10_B});
    table.post(step, PacketKind::resent, resent, {10_B});
    EXPECT_EQ(table.delivery({step, PacketKind::message, 0}, 0).bytes.data(), refused->bytes.data());
    EXPECT_EQ(table.delivery({step, PacketKind::resent, 0}, 0).bytes.data(), resent->bytes.data());
    EXPECT_EQ(refused.use_count(), 2);
    table.erase(step);
    EXPECT_EQ(refused.use_count(), 1);   // it lives no longer than its step
    EXPECT_EQ(table.size(), 0u);
}

}   // namespace
}   // namespace oscar::messages_in_flight_test
