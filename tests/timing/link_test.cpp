// 8 Gbit/s is 1 byte per ns, so that expected times can be read off.
#include "tests/timing/support.hpp"

namespace oscar {
namespace {

using test::packet;

struct LinkTiming : testing::Test {
    test::Script script;
    test::NotingSink sink;
    Link link{"link", "a->b", {8_Gbps, 100_ns, 1000_B}, test::flit, sink};
};

TEST_F(LinkTiming, HeadAndTailArriveSerializationAndPropagationLater) {
    script.at(10_ns, [&] { EXPECT_EQ(link.send(packet(500), {}), 10_ns + 500_ns); });
    script.run();
    ASSERT_EQ(sink.notes.size(), 1u);
    EXPECT_EQ(sink.notes[0].head, 10_ns + 64_ns + 100_ns);
    EXPECT_EQ(sink.notes[0].tail, 10_ns + 500_ns + 100_ns);
}

TEST_F(LinkTiming, APacketShorterThanAFlitHasHeadAndTailAtOnce) {
    script.at(0_ns, [&] { link.send(packet(20), {}); });
    script.run();
    EXPECT_EQ(sink.notes[0].head, 120_ns);
    EXPECT_EQ(sink.notes[0].tail, 120_ns);
}

TEST_F(LinkTiming, ATailThatComesLateHoldsTheLinkByItsOwnFlit) {
    // 500 B are 7 flits and one of 52 B; the last flit is there at 1000 ns and takes 52 ns.
    script.at(0_ns, [&] { EXPECT_EQ(link.send(packet(500), 1000_ns), 1052_ns); });
    script.run();
    EXPECT_EQ(sink.notes[0].tail, 1152_ns);
}

TEST_F(LinkTiming, ATailThatIsEarlyEnoughChangesNothing) {
    script.at(0_ns, [&] { EXPECT_EQ(link.send(packet(500), 448_ns), 500_ns); });   // 448 + 52 = 500
    script.run();
}

TEST_F(LinkTiming, CreditsLeaveWithThePacketAndComeBackOnePropagationAfterTheRelease) {
    sink.hold = 50_ns;
    script.at(0_ns, [&] {
        EXPECT_EQ(link.credits(), 1000_B);
        link.send(packet(600), {});
        EXPECT_EQ(link.credits(), 400_B);
    });
    const Time back = 600_ns + 100_ns + 50_ns + 100_ns;   // serialization, propagation, hold, propagation
    script.at(back - 1_ps, [&] { EXPECT_EQ(link.credits(), 400_B); });
    script.at(back, [&] { EXPECT_EQ(link.credits(), 1000_B); });
    script.run();
}

TEST_F(LinkTiming, CreditsReleasedOutOfOrderComeBackInOrderOfTime) {
    sink.hold.reset();
    script.at(0_ns, [&] {
        link.send(packet(300), {});
        link.release(200_B, 500_ns);
        link.release(100_B, 400_ns);
        EXPECT_EQ(link.next_credit(), 500_ns);
    });
    script.at(500_ns, [&] { EXPECT_EQ(link.credits(), 800_B); });
    script.at(600_ns, [&] { EXPECT_EQ(link.credits(), 1000_B); });
    script.run();
}

TEST_F(LinkTiming, UseCountsBusyTimeBytesAndFlits) {
    script.at(0_ns, [&] { link.send(packet(128), {}); });
    script.at(128_ns, [&] { link.send(packet(129), {}); });
    script.at(300_ns, [&] { link.send(packet(1), {}); });
    script.run();
    EXPECT_EQ(link.use().busy, (std::vector<Span>{{0_ns, 257_ns}, {300_ns, 301_ns}}));   // the first two touch
    EXPECT_EQ(link.use().packets, 3u);
    EXPECT_EQ(link.use().wire_bytes, 128u + 129 + 1);
    EXPECT_EQ(link.use().flits, 2u + 3 + 1);
}

}   // namespace
}   // namespace oscar
