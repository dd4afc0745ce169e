#include "tests/timing/support.hpp"

#include <gmock/gmock.h>

namespace oscar {
namespace {

using test::packet;
using testing::ElementsAre;
using testing::HasSubstr;

struct PortTiming : testing::Test {
    test::Script script;
    test::NotingSink sink;
    Link link{"link", "a->b", {8_Gbps, 100_ns, 1000_B}, test::flit, sink};
    struct Grant {
        std::uint32_t sequence;
        Time begin;
        friend bool operator==(Grant, Grant) = default;
        friend void PrintTo(const Grant& g, std::ostream* out) {
            *out << '#' << g.sequence << " at " << g.begin.ps << " ps";
        }
    };
    std::vector<Grant> grants;
    OutputPort port{"port", link, 3, [this](std::size_t, const Queued& q, Time begin, Time) {
                        grants.push_back({q.packet.sequence, begin});
                    }};
    void push(std::size_t queue, std::uint32_t sequence, std::uint64_t bytes, Time eligible) {
        port.push(queue, {packet(bytes, sequence), eligible, {}});
    }
};

TEST_F(PortTiming, APacketLeavesExactlyWhenItIsEligible) {
    script.at(0_ns, [&] { push(0, 1, 100, 70_ns); });
    script.at(200_ns, [&] { push(0, 2, 100, 200_ns + 1_ps); });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{1, 70_ns}, Grant{2, 200_ns + 1_ps}));
}

TEST_F(PortTiming, TheNextLeavesExactlyWhenTheLinkIsFree) {
    script.at(0_ns, [&] {
        push(0, 1, 100, 0_ns);
        push(0, 2, 100, 0_ns);
    });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{1, 0_ns}, Grant{2, 100_ns}));
}

TEST_F(PortTiming, APacketEligibleWhenTheLinkFallsFreeTakesPartInThatDecision) {
    // Queue 0 is granted at 0 and 100; at 200 it is queue 1's turn, if its packet is eligible by then.
    script.at(0_ns, [&] {
        for (std::uint32_t i = 1; i <= 3; ++i) push(0, i, 100, 0_ns);
        push(1, 10, 100, 100_ns);
        push(2, 20, 100, 200_ns + 1_ps);
    });
    script.run();
    EXPECT_THAT(grants,
                ElementsAre(Grant{1, 0_ns}, Grant{10, 100_ns}, Grant{2, 200_ns}, Grant{20, 300_ns}, Grant{3, 400_ns}));
}

TEST_F(PortTiming, QueuesTakeTurns) {
    script.at(0_ns, [&] {
        for (std::uint32_t i = 0; i < 2; ++i)
            for (std::size_t q = 0; q < 3; ++q) push(q, static_cast<std::uint32_t>(10 * q + i), 10, 0_ns);
    });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{0, 0_ns}, Grant{10, 10_ns}, Grant{20, 20_ns}, Grant{1, 30_ns},
                                    Grant{11, 40_ns}, Grant{21, 50_ns}));
}

TEST_F(PortTiming, ThoseThatArriveAtOneInstantCompeteWhateverTheOrderOfTheirEvents) {
    script.at(50_ns, [&] { push(2, 20, 10, 50_ns); });
    script.at(50_ns, [&] { push(1, 10, 10, 50_ns); });
    script.at(50_ns, [&] { push(0, 0, 10, 50_ns); });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{0, 50_ns}, Grant{10, 60_ns}, Grant{20, 70_ns}));
}

TEST_F(PortTiming, APacketWaitsForTheLastByteOfItsCredit) {
    sink.hold.reset();
    script.at(0_ns, [&] {
        push(0, 1, 600, 0_ns);
        push(0, 2, 401, 0_ns);   // 400 are left
    });
    script.at(2000_ns, [&] {
        EXPECT_THAT(port.blocked().value_or(""),
                    HasSubstr("401 B of credit: 400 B free, 600 B held by the receiver, of 1000 B"));
        link.release(1_B, 3000_ns);
    });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{1, 0_ns}, Grant{2, 3100_ns}));   // not a picosecond before the credit is back
    EXPECT_FALSE(port.blocked());
}

TEST_F(PortTiming, APacketThatJustFitsDoesNotWait) {
    sink.hold.reset();
    script.at(0_ns, [&] {
        push(0, 1, 600, 0_ns);
        push(0, 2, 400, 0_ns);
    });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{1, 0_ns}, Grant{2, 600_ns}));
}

TEST_F(PortTiming, AWinnerWithoutCreditKeepsItsTurn) {
    sink.hold.reset();
    script.at(0_ns, [&] {
        push(0, 1, 600, 0_ns);
        push(1, 10, 500, 0_ns);   // its turn, but 100 too many
        push(2, 20, 100, 0_ns);   // would fit
    });
    script.at(900_ns, [&] { link.release(100_B, 900_ns); });
    script.at(2000_ns, [&] { link.release(500_B, 2000_ns); });
    script.run();
    EXPECT_THAT(grants, ElementsAre(Grant{1, 0_ns}, Grant{10, 1000_ns}, Grant{20, 2100_ns}));
}

}   // namespace
}   // namespace oscar
