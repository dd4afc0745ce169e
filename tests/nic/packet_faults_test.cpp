// Which packets are hit, what their port notices, and what reaches the receiver.
#include "models/nic/wire/packet_faults.hpp"

#include <gmock/gmock.h>

#include <bit>

namespace oscar::packet_faults_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::byte> payload(100, std::byte{0x5a});

PacketName packet(std::uint32_t sequence, std::uint32_t step = 0) {
    return {StepId{step}, PacketKind::message, sequence};
}
Delivery delivery(std::uint32_t sequence) {
    Delivery result;
    result.sequence = sequence;
    result.bytes = payload;
    result.size = payload.size();
    static const SharedMessage whole;
    result.whole = &whole;
    return result;
}
std::vector<std::uint32_t> sequences(const std::vector<Delivery>& deliveries) {
    std::vector<std::uint32_t> result;
    for (const Delivery& one : deliveries) result.push_back(one.sequence);
    return result;
}
/// Bits in which they differ.
int distance(std::span<const std::byte> a, std::span<const std::byte> b) {
    int bits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) bits += std::popcount(std::to_integer<unsigned>(a[i] ^ b[i]));
    return bits;
}

TEST(PacketFaults, LeaveAllPacketsAloneAtProbabilityZero) {
    PacketFaults faults({}, 0);
    for (std::uint32_t i = 0; i < 100; ++i) {
        EXPECT_TRUE(faults.passes(packet(i), payload, payload.size()));
        const auto brought = faults.bring(delivery(i), 100);
        EXPECT_THAT(sequences(brought), ElementsAre(i));
        EXPECT_NE(brought.front().whole, nullptr);
    }
    EXPECT_EQ(faults.use(), FaultUse{});
}

TEST(PacketFaults, AreNoticedByTheCrcWhereverOneBitIsFlipped) {
    PacketFaults faults({.flip = 1}, 0);
    for (std::uint32_t step = 0; step < 5000; ++step)
        EXPECT_FALSE(faults.passes(packet(0, step), payload, payload.size())) << step;
    EXPECT_EQ(faults.use(), (FaultUse{.flipped = 5000, .crc_errors = 5000}));
}

TEST(PacketFaults, FlipOneBitThatReachesTheReceiverWhereNothingChecks) {
    PacketFaults faults({.flip = 1, .check = PacketCheck::none}, 0);
    std::vector<int> hit(8 * payload.size());
    for (std::uint32_t i = 0; i < 4000; ++i) {
        ASSERT_TRUE(faults.passes(packet(i), payload, payload.size()));
        const auto brought = faults.bring(delivery(i), 5000);
        ASSERT_EQ(brought.size(), 1u);
        EXPECT_EQ(brought[0].whole, nullptr);
        ASSERT_EQ(brought[0].bytes.size(), payload.size());
        EXPECT_EQ(distance(brought[0].bytes, payload), 1);
        for (std::size_t at = 0; at < payload.size(); ++at)
            if (const auto changed = std::to_integer<unsigned>(brought[0].bytes[at] ^ payload[at]); changed != 0)
                ++hit[8 * at + static_cast<std::size_t>(std::countr_zero(changed))];
    }
    EXPECT_EQ(faults.use(), (FaultUse{.flipped = 4000}));
    EXPECT_LT(std::ranges::count(hit, 0), 20);   // of 800 bits, 4000 / e^5 of which stay unhit: 5.4 expected
}

TEST(PacketFaults, AreDrawnAnewForAPacketThatIsSentAgain) {
    PacketFaults faults({.drop = 0.5}, 0);
    std::uint32_t sent = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) do
            ++sent;
        while (!faults.passes(packet(i), payload, payload.size()));
    EXPECT_NEAR(sent, 2000, 150);   // geometric: mean 2, deviation sqrt(2); 3.4 sigma of 1000
    EXPECT_EQ(faults.use().dropped, sent - 1000);
    EXPECT_NEAR(static_cast<double>(faults.use().repaired), 500, 55);   // 3.5 sigma
}

TEST(PacketFaults, AreAFunctionOfSeedDrawAndNameAndNotOfTheOrderOfPackets) {
    const auto dropped = [](std::uint64_t seed, std::uint64_t draw, bool backwards) {
        PacketFaults faults({.drop = 0.5, .seed = seed}, draw);
        std::vector<bool> result(200);
        for (std::uint32_t i = 0; i < 200; ++i) {
            const std::uint32_t which = backwards ? 199 - i : i;
            result[which] = !faults.passes(packet(which), payload, payload.size());
        }
        return result;
    };
    EXPECT_EQ(dropped(1, 0, false), dropped(1, 0, true));
    EXPECT_NE(dropped(1, 0, false), dropped(2, 0, false));
    EXPECT_NE(dropped(1, 0, false), dropped(1, 5, false));
}

TEST(PacketFaults, FlipNothingWhereThereIsNoPayload) {
    PacketFaults faults({.flip = 1}, 0);
    EXPECT_TRUE(faults.passes({StepId{0}, PacketKind::refusal, 0}, {}, 0));
    EXPECT_EQ(faults.use(), FaultUse{});
}

TEST(PacketFaults, AreNoticedInPayloadThatShowsNoBytes) {
    PacketFaults faults({.flip = 1}, 0);
    EXPECT_FALSE(faults.passes(packet(0), {}, 4096));
    EXPECT_EQ(faults.use(), (FaultUse{.flipped = 1, .crc_errors = 1}));
}

TEST(PacketFaults, BringAPacketTwice) {
    PacketFaults faults({.duplicate = 1}, 0);
    EXPECT_THAT(sequences(faults.bring(delivery(0), 2)), ElementsAre(0, 0));
    EXPECT_THAT(sequences(faults.bring(delivery(1), 2)), ElementsAre(1, 1));
    EXPECT_EQ(faults.use(), (FaultUse{.duplicated = 2}));
}

TEST(PacketFaults, BringAPacketBehindTheNextOneButNotTheLastOfItsMessage) {
    PacketFaults faults({.reorder = 1}, 0);
    EXPECT_THAT(sequences(faults.bring(delivery(0), 5)), IsEmpty());
    EXPECT_THAT(sequences(faults.bring(delivery(1), 5)), ElementsAre(1, 0));
    EXPECT_THAT(sequences(faults.bring(delivery(2), 5)), IsEmpty());
    EXPECT_THAT(sequences(faults.bring(delivery(3), 5)), ElementsAre(3, 2));
    EXPECT_THAT(sequences(faults.bring(delivery(4), 5)), ElementsAre(4));
    EXPECT_EQ(faults.use(), (FaultUse{.reordered = 2}));
}

TEST(PacketFaults, GiveALatePacketTheTimeAtWhichItsReceiverGetsIt) {
    PacketFaults faults({.reorder = 1}, 0);
    Delivery first = delivery(0), second = delivery(1);
    first.arrival.at = Time{10};
    second.arrival.at = Time{20};
    faults.bring(first, 2);
    for (const Delivery& brought : faults.bring(second, 2)) EXPECT_EQ(brought.arrival.at, Time{20});
}

/// A receiver that keeps the packet for one before it holds a view of its bytes.
TEST(PacketFaults, BringAPacketThatComesAgainAsItCameAndHitItOnce) {
    PacketFaults faults({.flip = 1, .check = PacketCheck::none}, 0);
    ASSERT_TRUE(faults.passes(packet(0), payload, payload.size()));
    const Delivery first = faults.bring(delivery(0), 2).front();
    ASSERT_TRUE(faults.passes(packet(0), payload, payload.size()));
    const Delivery again = faults.bring(delivery(0), 2).front();
    EXPECT_EQ(faults.use(), (FaultUse{.flipped = 1}));
    EXPECT_EQ(again.bytes.data(), first.bytes.data()) << "the bytes that the receiver may still hold";
    EXPECT_EQ(distance(again.bytes, payload), 1);
}

TEST(PacketFaults, CountAPacketAsRepairedOnceHoweverOftenItComes) {
    PacketFaults faults({.drop = 0.5}, 0);
    for (std::uint32_t i = 0; i < 20; ++i)
        while (!faults.passes(packet(i), payload, payload.size())) {
        }
    const FaultUse before = faults.use();
    EXPECT_GT(before.repaired, 0u);
    for (std::uint32_t i = 0; i < 20; ++i) EXPECT_TRUE(faults.passes(packet(i), payload, payload.size()));
    EXPECT_EQ(faults.use(), before);
}

TEST(PacketFaults, HitAMessageAndWhatIsSentAgainOfItIndependently) {
    PacketFaults faults({.drop = 0.5}, 0);
    int alike = 0;
    for (std::uint32_t step = 0; step < 1000; ++step) {
        const auto passes = [&](PacketKind kind) { return faults.passes({StepId{step}, kind, 0}, payload, 100); };
        alike += passes(PacketKind::message) == passes(PacketKind::resent);
    }
    EXPECT_NEAR(alike, 500, 55);   // 3.5 sigma of 1000 halves
}

}   // namespace
}   // namespace oscar::packet_faults_test
