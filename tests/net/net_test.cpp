#include <gmock/gmock.h>

#include <set>

#include "models/net/packet.hpp"
#include "models/net/round_robin.hpp"
#include "models/net/topology.hpp"

namespace oscar {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

TEST(TopologyOf, AStarGoesUpToTheSwitchAndDown) {
    const Topology star = make_topology(StarParams{}, 4);
    EXPECT_EQ(star.edges.size(), 8u);
    for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = 0; b < 4; ++b) {
            if (a == b) continue;
            const auto path = star.path(Rank{a}, Rank{b});
            ASSERT_EQ(path.size(), 2u);
            EXPECT_EQ(star.edge_name(path[0]), "rank" + std::to_string(a) + "->switch0");
            EXPECT_EQ(star.edge_name(path[1]), "switch0->rank" + std::to_string(b));
        }
}

TEST(TopologyOf, ARingHasOnlyNeighbours) {
    for (const std::uint32_t n : {2u, 3u, 5u}) {
        const Topology ring = make_topology(CableRingParams{}, n);
        EXPECT_EQ(ring.edges.size(), n == 2 ? 2 : 2 * n);
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = 0; b < n; ++b) {
                if (a == b) continue;
                const bool neighbours = (a + 1) % n == b || (b + 1) % n == a;
                EXPECT_EQ(ring.path(Rank{a}, Rank{b}).size(), neighbours ? 1u : 0u) << a << " to " << b << " of " << n;
            }
    }
}

TEST(TopologyOf, EveryKindBuildsFrom2RanksAndHasAPathToTheNextRank) {
    for_each_kind(topologies, []<class P>(const Kind<P>& kind) {
        for (std::uint32_t n = 2; n <= 17; ++n) {
            const Topology topology = make_topology(P{}, n);
            for (std::uint32_t r = 0; r < n; ++r)
                EXPECT_THAT(topology.path(Rank{r}, Rank{(r + 1) % n}), testing::Not(IsEmpty())) << kind.name << n;
        }
    });
}

TEST(TopologyOf, ItsOwnNodesMustAgreeWithTheRanks) {
    EXPECT_NO_THROW(make_topology(StarParams{4}, 4));
    EXPECT_THROW(make_topology(StarParams{8}, 4), std::invalid_argument);
    EXPECT_THROW(make_topology(CableRingParams{3}, 4), std::invalid_argument);
}

}   // namespace
}   // namespace oscar
