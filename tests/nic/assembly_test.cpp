// A message as its packets bring it: shared as long as it is the sender's, its own bytes from the first that differ.
#include "models/nic/assembly.hpp"

#include <gmock/gmock.h>

namespace oscar {
namespace {

using testing::ElementsAreArray;

/// Ten bytes in packets of four, four and two.
struct ThreePackets : testing::Test {
    Encoded message;
    Assembly assembly;

    ThreePackets() {
        for (int i = 0; i < 10; ++i) message.bytes.push_back(static_cast<std::byte>(i));
        message.blocks = {{0, 10, 0, 10}};
    }
    Packet packet(std::uint32_t sequence) const {
        const std::uint64_t offset = 4 * sequence, size = sequence < 2 ? 4 : 2;
        return {Rank{0}, Rank{1},      StepId{0}, sequence, offset, std::span(message.bytes).subspan(offset, size),
                {},      sequence == 2};
    }
};

TEST_F(ThreePackets, CopyNothingWhileEachIsAViewOnTheMessage) {
    for (const std::uint32_t i : {0u, 1u, 2u}) assembly.add(message, packet(i));
    EXPECT_TRUE(assembly.as_sent());
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
    EXPECT_THAT(assembly.bytes(), testing::IsEmpty());
}

TEST_F(ThreePackets, AreKeptFromTheFirstOneWithBytesOfItsOwn) {
    for (const std::uint32_t altered : {0u, 1u, 2u}) {
        assembly.clear();
        auto expected = message.bytes;
        std::vector<std::byte> own;
        for (const std::uint32_t i : {0u, 1u, 2u}) {
            Packet p = packet(i);
            if (i == altered) {
                own.assign(p.payload.begin(), p.payload.end());
                own[1] ^= std::byte{0x80};
                expected[p.offset + 1] ^= std::byte{0x80};
                p.payload = own;
            }
            assembly.add(message, p);
        }
        EXPECT_FALSE(assembly.as_sent()) << altered;
        EXPECT_THAT(assembly.bytes(), ElementsAreArray(expected)) << altered;
        EXPECT_EQ(assembly.received(), 10u);
    }
}

TEST_F(ThreePackets, AreAsNewAfterClear) {
    Packet own = packet(0);
    const std::vector<std::byte> bytes(4);
    own.payload = bytes;
    assembly.add(message, own);
    assembly.clear();
    for (const std::uint32_t i : {0u, 1u, 2u}) assembly.add(message, packet(i));
    EXPECT_TRUE(assembly.as_sent());
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
}

TEST(Assembly, OfAMessageWithoutBytesCountsThem) {
    Assembly assembly;
    assembly.add_unseen(2, 8);
    assembly.add_unseen(1, 2);
    EXPECT_TRUE(assembly.as_sent());
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
}

TEST(Assembly, OfAnEmptyMessageIsAsSent) {
    Assembly assembly;
    assembly.add({}, {Rank{0}, Rank{1}, StepId{0}, 0, 0, {}, {}, true});
    EXPECT_TRUE(assembly.as_sent());
    EXPECT_EQ(assembly.packets(), 1u);
}

}   // namespace
}   // namespace oscar
