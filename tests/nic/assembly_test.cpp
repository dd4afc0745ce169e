// A message as its packets bring it: shared as long as it is unaltered, its own bytes from the first that differ.
#include "models/nic/wire/assembly.hpp"

#include <gmock/gmock.h>

namespace oscar::assembly_test {
namespace {

using ::testing::ElementsAreArray;

/// Ten bytes in packets of four, four and two.
struct ThreePackets : ::testing::Test {
    SharedMessage message;
    Assembly assembly;

    ThreePackets() {
        Encoded encoded;
        for (int i = 0; i < 10; ++i) encoded.bytes.push_back(static_cast<std::byte>(i));
        encoded.blocks = {{0, 10, 0, 10}};
        message.bytes = std::make_shared<const Encoded>(std::move(encoded));
    }
    Delivery packets(std::uint32_t first, std::uint32_t last) const {
        const std::uint64_t begin = 4 * first, end = last == 2 ? 10 : 4 * (last + 1);
        Delivery delivery;
        delivery.sequence = last;
        delivery.packets = last + 1 - first;
        delivery.last = last == 2;
        delivery.bytes = std::span(message.bytes->bytes).subspan(begin, end - begin);
        delivery.size = end - begin;
        delivery.whole = &message;
        return delivery;
    }
};

TEST_F(ThreePackets, CopyNothingWhileEachIsAnUnalteredPart) {
    for (const std::uint32_t i : {0u, 1u, 2u}) assembly.add(packets(i, i));
    EXPECT_FALSE(assembly.altered());
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
    EXPECT_THAT(assembly.bytes(), ::testing::IsEmpty());
    EXPECT_EQ(assembly.take(), message.bytes);
}

TEST_F(ThreePackets, MayComeInRuns) {
    assembly.add(packets(0, 0));
    assembly.add(packets(1, 2));
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
    EXPECT_EQ(assembly.take(), message.bytes);
}

TEST_F(ThreePackets, AreKeptFromTheFirstOneWithBytesOfItsOwn) {
    for (const std::uint32_t altered : {0u, 1u, 2u}) {
        assembly.clear();
        auto expected = message.bytes->bytes;
        std::vector<std::byte> own;
        for (const std::uint32_t i : {0u, 1u, 2u}) {
            Delivery packet = packets(i, i);
            if (i == altered) {
                own.assign(packet.bytes.begin(), packet.bytes.end());
                own[1] ^= std::byte{0x80};
                expected[4 * i + 1] ^= std::byte{0x80};
                packet.bytes = own;
                packet.whole = nullptr;
            }
            assembly.add(packet);
        }
        EXPECT_TRUE(assembly.altered()) << altered;
        EXPECT_THAT(assembly.bytes(), ElementsAreArray(expected)) << altered;
        EXPECT_EQ(assembly.received(), 10u);
        const auto came = assembly.take();
        EXPECT_THAT(came->bytes, ElementsAreArray(expected));
        EXPECT_TRUE(came->blocks.empty());   // nobody has found them
        EXPECT_FALSE(came->values);
    }
}

TEST_F(ThreePackets, AreAsNewAfterClear) {
    Delivery own = packets(0, 0);
    const std::vector<std::byte> bytes(4);
    own.bytes = bytes;
    own.whole = nullptr;
    assembly.add(own);
    assembly.clear();
    for (const std::uint32_t i : {0u, 1u, 2u}) assembly.add(packets(i, i));
    EXPECT_EQ(assembly.received(), 10u);
    EXPECT_EQ(assembly.packets(), 3u);
    EXPECT_EQ(assembly.take(), message.bytes);
}

TEST(Assembly, OfAnEmptyMessageIsThatMessage) {
    const SharedMessage empty{std::make_shared<const Encoded>(), nullptr};
    Delivery packet;
    packet.whole = &empty;
    Assembly assembly;
    assembly.add(packet);
    EXPECT_EQ(assembly.packets(), 1u);
    EXPECT_EQ(assembly.take(), empty.bytes);
}

}   // namespace
}   // namespace oscar::assembly_test
