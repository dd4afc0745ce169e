// 8 Gbit/s is 1 byte per ns, so that expected times can be read off.
#include "models/network/transport/receive_buffers.hpp"

#include <gmock/gmock.h>

#include "tests/network/event/composed.hpp"

namespace oscar::receive_buffers_test {
namespace {

constexpr LinkParams cable{8_Gbps, 500_ns, 3000_B};
constexpr PfcParams pfc{1000_B, 400_B, 36_ns};

/// The buffers of one link of two channels, in a fabric that gives them their events.
struct BuffersOfALink : ::testing::Test {
    struct Policy : test::NotingPolicy {
        Policy(PacketFabric& of, ReceiveBuffers& buffers_of) : test::NotingPolicy(of), buffers(buffers_of) {}
        void run(Fabric::Kind kind, const Event& event) override {
            test::NotingPolicy::run(kind, event);
            buffers.run(kind, event);
        }
        ReceiveBuffers& buffers;
    };
    static FabricParams one_link() {
        FabricParams params;
        params.links = {{0, 1, cable, {}}};
        params.channels = 2;
        return params;
    }
    void compose(ReceiveBuffers& buffers) { fabric.compose(std::make_unique<Policy>(fabric, buffers), nullptr); }

    const FabricParams params = one_link();
    test::NotingClient client;
    PacketFabric fabric{params, client};
    const Hop hop{0, 0};
};

TEST_F(BuffersOfALink, TakeWhatFitsAndDropWhatDoesNot) {
    ReceiveBuffers buffers(fabric, params, std::nullopt, 1000_B);
    EXPECT_EQ(buffers.enter(hop, 2000_B), BufferEntry::taken);
    EXPECT_EQ(buffers.enter(hop, 1001_B), BufferEntry::dropped);
    EXPECT_EQ(buffers.free(hop), 1000_B);
    EXPECT_EQ(buffers.enter(hop, 1000_B), BufferEntry::taken);
    EXPECT_EQ(buffers.free(hop), 0_B);
    EXPECT_EQ(buffers.free({0, 1}), 3000_B) << "each channel has its own";
    EXPECT_EQ(fabric.next_time(), Fabric::never) << "nothing is paused without PFC";
}

TEST_F(BuffersOfALink, HaveRoomAgainWhenAPacketLeaves) {
    ReceiveBuffers buffers(fabric, params, std::nullopt, 1000_B);
    compose(buffers);
    buffers.enter(hop, 2500_B);
    buffers.release(hop, 2500_B, 700_ns);
    EXPECT_EQ(fabric.next_time(), 700_ns);
    EXPECT_EQ(buffers.free(hop), 500_B);
    fabric.step();
    EXPECT_EQ(buffers.free(hop), 3000_B);
    EXPECT_EQ(fabric.settled_at(), 1200_ns) << "its sender could know one propagation later";
}

TEST_F(BuffersOfALink, PauseTheirSenderAPropagationAndAResponseAfterXoffIsExceeded) {
    ReceiveBuffers buffers(fabric, params, pfc, 1000_B);
    compose(buffers);
    EXPECT_EQ(buffers.enter(hop, 1000_B), BufferEntry::taken);
    EXPECT_EQ(buffers.enter(hop, 1_B), BufferEntry::taken_with_pause);
    EXPECT_EQ(buffers.enter(hop, 1_B), BufferEntry::taken) << "it has been told";
    EXPECT_FALSE(buffers.is_paused(hop));
    EXPECT_EQ(fabric.next_time(), 536_ns);
    fabric.step();
    EXPECT_TRUE(buffers.is_paused(hop));
    EXPECT_FALSE(buffers.is_paused({0, 1}));
}

TEST_F(BuffersOfALink, EndThePauseWhenTheyHaveFallenToXon) {
    ReceiveBuffers buffers(fabric, params, pfc, 1000_B);
    compose(buffers);
    buffers.enter(hop, 1400_B);
    buffers.release(hop, 999_B, 1_us);   // 401 B are left
    buffers.release(hop, 1_B, 2_us);
    test::run_all(fabric);
    EXPECT_FALSE(buffers.is_paused(hop));
    EXPECT_EQ(buffers.free(hop), 2600_B);
    EXPECT_EQ(fabric.settled_at(), 2_us + 536_ns);
}

TEST_F(BuffersOfALink, LetTheirSenderGoOnWhenAPauseEnds) {
    ReceiveBuffers buffers(fabric, params, pfc, 1000_B);
    auto policy = std::make_unique<Policy>(fabric, buffers);
    Policy& noted = *policy;
    fabric.compose(std::move(policy), nullptr);
    client.fabric = &fabric;
    const FlowId flow = fabric.add_flow({&hop, 1}, 0);
    buffers.enter(hop, 1400_B);
    noted.opens = Fabric::never;   // as a policy says while the sender is paused
    test::send(fabric, flow, 1, 100_B);
    buffers.release(hop, 1400_B, 2_us);
    while (fabric.next_time() < 2_us + 536_ns) fabric.step();
    EXPECT_TRUE(client.departures.empty());
    noted.opens = {};
    test::run_all(fabric);
    EXPECT_EQ((client.departures[{0, 0}].begin), 2_us + 536_ns);
}

}   // namespace
}   // namespace oscar::receive_buffers_test
