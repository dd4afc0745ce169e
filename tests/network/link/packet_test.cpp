#include <gmock/gmock.h>

#include "models/network/link/packet.hpp"

namespace oscar::packet_test {
namespace {

using namespace literals;

TEST(Packets, OfAMessageAreAsFewAsHoldItAndAtLeastOne) {
    EXPECT_EQ(packets_of(0, 4_KiB), 1u);
    EXPECT_EQ(packets_of(1, 4_KiB), 1u);
    EXPECT_EQ(packets_of(4096, 4_KiB), 1u);
    EXPECT_EQ(packets_of(4097, 4_KiB), 2u);
}

TEST(Packets, AreWholeFlitsButForTheLast) {
    for (std::uint64_t wire = 1; wire < 300; ++wire) {
        const Bytes size{wire};
        EXPECT_EQ((flits_of(size, 64_B) - 1) * 64 + last_flit(size, 64_B).count, wire);
        EXPECT_GE(last_flit(size, 64_B), 1_B);
        EXPECT_LE(last_flit(size, 64_B), 64_B);
        EXPECT_EQ(first_flit(size, 64_B), std::min(size, 64_B));
    }
}

TEST(Packets, CountTheirHeaderOnTheWire) {
    const std::vector<std::byte> payload(100);
    Packet packet;
    packet.payload = payload;
    packet.header = 82_B;
    EXPECT_EQ(packet.wire(), 182_B);
}

}   // namespace
}   // namespace oscar::packet_test
