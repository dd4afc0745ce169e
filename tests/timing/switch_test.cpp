// A star of three ranks, cabled by hand: what goes in at 0 and 1 comes out at 2.
#include "models/hw/switch.hpp"

#include <array>

#include "models/net/routes.hpp"
#include "models/net/topologies/star.hpp"

#include "tests/timing/support.hpp"

namespace oscar {
namespace {

using test::packet;

struct SwitchTiming : testing::Test {
    static constexpr LinkParams fast{8_Gbps, 100_ns, 1000_B}, slow{4_Gbps, 100_ns, 1000_B};
    test::Script script;
    Topology star = make_topology(StarParams{}, 3, {});
    Routes routes{star, ShortestParams{}};
    test::NotingSink sink;
    Switch hub{"hub", {30_ns}, 3, star};
    std::vector<std::unique_ptr<Link>> in, out;

    /// Edges of the star: 2r goes up from rank r, 2r+1 down to it.
    void cable(const LinkParams& up, const LinkParams& down) {
        for (std::uint32_t r = 0; r < 3; ++r) {
            in.push_back(std::make_unique<Link>(("up" + std::to_string(r)).c_str(), "up", up, test::flit, hub));
            hub.add_input(2 * r, *in.back());
        }
        for (std::uint32_t r = 0; r < 3; ++r) {
            out.push_back(std::make_unique<Link>(("down" + std::to_string(r)).c_str(), "down", down, test::flit, sink));
            hub.add_output(2 * r + 1, *out.back());
        }
    }
    void send(std::uint32_t from, std::uint64_t bytes, std::uint32_t sequence) {
        Packet sent = packet(bytes, sequence, 2);
        sent.route = routes.path(Rank{from}, Rank{2});
        in[from]->send(sent, {});
    }
};

TEST_F(SwitchTiming, CutsThroughAfterTheFirstFlit) {
    cable(fast, fast);
    script.at(0_ns, [&] { send(0, 500, 1); });
    script.run();
    const Time out_begin = 64_ns + 100_ns + 30_ns;   // first flit in, propagation, latency
    EXPECT_EQ(sink.notes.at(0).head, out_begin + 64_ns + 100_ns);
    EXPECT_EQ(sink.notes.at(0).tail, out_begin + 500_ns + 100_ns);
}

TEST_F(SwitchTiming, ASlowerOutputTakesItsOwnTime) {
    cable(fast, slow);
    script.at(0_ns, [&] { send(0, 500, 1); });
    script.run();
    EXPECT_EQ(sink.notes.at(0).tail, 194_ns + 1000_ns + 100_ns);
}

TEST_F(SwitchTiming, AFasterOutputWaitsForTheTail) {
    cable(slow, fast);
    script.at(0_ns, [&] { send(0, 500, 1); });
    script.run();
    // In: 500 B at 0.5 B/ns end at 1000 ns, arrive 1100, pass at 1130; the last flit of 52 B then takes 52 ns.
    EXPECT_EQ(sink.notes.at(0).tail, 1130_ns + 52_ns + 100_ns);
}

TEST_F(SwitchTiming, TwoInputsShareAnOutputPacketByPacket) {
    cable(fast, fast);
    script.at(0_ns, [&] {
        send(0, 400, 1);
        send(1, 400, 2);
    });
    script.run();
    ASSERT_EQ(sink.notes.size(), 2u);
    EXPECT_EQ(sink.notes[0].sequence, 1u);   // input 0 first, for nobody had a turn before
    EXPECT_EQ(sink.notes[1].head - sink.notes[0].head, 400_ns);
}

TEST_F(SwitchTiming, AnInputsBufferIsFreedWhenThePacketsLastBitHasLeft) {
    cable(fast, fast);
    script.at(0_ns, [&] { send(0, 600, 1); });
    const Time back = 194_ns + 600_ns + 100_ns;   // out begins at 194, the last bit leaves, credit propagates
    script.at(back - 1_ps, [&] { EXPECT_EQ(in[0]->credits(), 400_B); });
    script.at(back, [&] { EXPECT_EQ(in[0]->credits(), 1000_B); });
    script.run();
}

TEST_F(SwitchTiming, AnOutputWithoutCreditHoldsThePacketInItsInputBuffer) {
    cable(fast, fast);
    sink.hold.reset();
    script.at(0_ns, [&] { send(0, 600, 1); });
    script.at(600_ns, [&] { send(0, 400, 2); });
    script.at(1500_ns, [&] { send(0, 500, 3); });   // out has 0 B of credit left
    script.at(3000_ns, [&] { EXPECT_EQ(in[0]->credits(), 500_B); });
    script.at(4000_ns, [&] { out[2]->release(500_B, 4000_ns); });
    script.run();
    ASSERT_EQ(sink.notes.size(), 3u);
    EXPECT_EQ(sink.notes[2].head, 4000_ns + 100_ns + 64_ns + 100_ns);
}

}   // namespace
}   // namespace oscar
