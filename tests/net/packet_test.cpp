#include <gmock/gmock.h>

#include <set>

#include "models/net/packet.hpp"
#include "models/net/round_robin.hpp"

namespace oscar {
namespace {

using namespace literals;
using testing::ElementsAre;

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

TEST(RoundRobinChoice, BeginsWithTheFirstAndGoesOnBehindTheLastGranted) {
    RoundRobin turn(3);
    const auto all = [](std::size_t) { return true; };
    std::vector<std::size_t> grants;
    for (int i = 0; i < 5; ++i) {
        grants.push_back(turn.choose(all).value());
        turn.granted(grants.back());
    }
    EXPECT_THAT(grants, ElementsAre(0, 1, 2, 0, 1));
}

TEST(RoundRobinChoice, SkipsWhoWantsNothingAndStaysWithoutAGrant) {
    RoundRobin turn(3);
    EXPECT_EQ(turn.choose([](std::size_t i) { return i == 2; }), 2u);
    EXPECT_EQ(turn.choose([](std::size_t i) { return i != 0; }), 1u);   // nothing was granted in between
    EXPECT_EQ(turn.choose([](std::size_t) { return false; }), std::nullopt);
}

TEST(RoundRobinChoice, AmongSomeIsTheChoiceOfAllThatWantsNobodyElse) {
    for (const std::set<std::size_t>& some : {std::set<std::size_t>{}, {0}, {4}, {1, 3}, {0, 2, 4}, {0, 1, 2, 3, 4}})
        for (std::size_t last = 0; last < 5; ++last)
            for (std::size_t shy = 0; shy < 5; ++shy) {   // one that does not want, if it is among them
                RoundRobin turn(5);
                turn.granted(last);
                EXPECT_EQ(turn.choose_among(some, [&](std::size_t i) { return i != shy; }),
                          turn.choose([&](std::size_t i) { return some.contains(i) && i != shy; }));
            }
}

}   // namespace
}   // namespace oscar
