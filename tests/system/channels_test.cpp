// Channels on links that are counted: what they gain, and where.
#include <gtest/gtest.h>

#include "tests/system/support.hpp"

namespace oscar::channels_test {
namespace {

using test::Machine;
using test::MachineSpec;

/// Uncompressed, without headers, with DMA and adders that take almost no time. Packets of 1000 B at 8 Gbit/s, 1000 ns
/// each.
constexpr double packet_ns = 1000;
MachineSpec counted(std::uint32_t ranks, const TopologyKind& topology = StarParams{}) {
    MachineSpec spec;
    spec.ranks = ranks;
    spec.topology = topology;
    spec.network.link = {8_Gbps, 500_ns, 1_MiB};
    spec.network.packet = 1000_B;
    spec.network.header = 0_B;
    spec.node.gpu = {100'000_Gbps, 0_ps};
    spec.node.nic = {.latency = 100_ns, .adders = 1u << 20, .clock = 1_GHz};
    return spec;
}

RingParams ring_of(std::uint32_t channels, ChannelOrder order = ChannelOrder::same) {
    RingParams params;
    params.channels = channels;
    params.channel_order = order;
    return params;
}

/// In ns, of chunks of `packets` packets in each channel.
double time(Machine& machine, const RingParams& params, Issue issue, std::uint32_t packets) {
    const Topology& topology = machine.topology();
    const Plan plan(make_schedule(Collective(params), topology.ranks, topology.island), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const auto run =
        machine.run(plan, *codec, test::floats(topology.ranks, plan.schedule.chunks * packets * 250), issue);
    test::expect_same(run);
    return static_cast<double>(run.outcome.duration().ps) / 1000;
}

/// What DMA of a packet, the adder's two cycles and waiting for its edge add at most, in each timestep.
constexpr double edges_of(std::uint32_t timesteps) { return 5.0 * timesteps; }

constexpr std::uint32_t ring_ranks = 6, timesteps = 2 * (ring_ranks - 1);
/// On a star: NIC out and in, two cables, the switch with its first flit of 64 B.
constexpr double star_alpha = 100 + 100 + 2 * 500 + 300 + 64;
/// The same with cables of a kilometre.
constexpr double far_alpha = star_alpha + 2 * 4500;
MachineSpec far_apart() {
    MachineSpec spec = counted(ring_ranks);
    spec.network.link.propagation = 5000_ns;
    return spec;
}

/// A link carries the chunk of each of K channels in a timestep, p packets each, which is as much as the chunk of K p
/// packets of one: the last bit comes alpha behind the last of them.
TEST(ChannelsOnAStar, TakeAsLongAsOneInLockStep) {
    Machine machine(counted(ring_ranks));
    for (const std::uint32_t channels : {1u, 2u, 4u}) {
        const double expected = timesteps * (star_alpha + 12 * packet_ns);
        EXPECT_NEAR(time(machine, ring_of(channels), Issue::lock_step, 12 / channels), expected, edges_of(timesteps))
            << channels << " channels";
    }
}

/// The time if packets of K channels always alternated: the last packet of channel k is number K (p-1) + k + 1 on the
/// link. That of the first channel has come alpha later, and its next chunk may leave; the others follow a packet
/// apart. So a timestep takes alpha + K (p-1) + 1 packets, K-1 fewer than in one channel, as long as that is longer
/// than the K p packets that the link has to carry; the last channel ends K-1 packets later.
double alternating(std::uint32_t channels, std::uint32_t packets) {
    return timesteps * (far_alpha + (channels * (packets - 1) + 1) * packet_ns) + (channels - 1) * packet_ns;
}

TEST(ChannelsOnAStar, HideAllButOneOfTheLastPacketsOfATimestepWhereStepsAreDrivenByData) {
    Machine machine(far_apart());
    for (const std::uint32_t channels : {1u, 2u}) {
        const std::uint32_t packets = 12 / channels;
        ASSERT_GT(far_alpha, (channels - 1) * packet_ns);
        EXPECT_NEAR(time(machine, ring_of(channels), Issue::dependency, packets), alternating(channels, packets),
                    edges_of(timesteps))
            << channels << " channels";
    }
}

/// A queue that has been served goes behind those that wait, before those that come later. So with three channels the
/// second packet of the first one leaves before the first packet of the third, which came while it waited: the first
/// channel draws ahead a little in each timestep, and hides more. No channel's timestep is shorter than alpha and its
/// own packets.
TEST(ChannelsOnAStar, OfWhichThereAreMoreThanTwoDrawAheadOfEachOther) {
    Machine machine(far_apart());
    for (const std::uint32_t channels : {3u, 6u}) {
        const std::uint32_t packets = 12 / channels;
        const double took = time(machine, ring_of(channels), Issue::dependency, packets);
        EXPECT_LT(took, alternating(channels, packets) - timesteps * packet_ns) << channels << " channels";
        EXPECT_GT(took, timesteps * (far_alpha + packets * packet_ns)) << channels << " channels";
    }
}

/// Where alpha is less than K-1 packets the next chunk of the first channel may leave before the last channel is done
/// with this one: the link never idles, and alpha counts once.
TEST(ChannelsOnAStar, LeaveNothingButTheBytesOfManyTimestepsWhereTheyAreMany) {
    Machine machine(counted(ring_ranks));
    for (const std::uint32_t channels : {4u, 6u}) {
        ASSERT_LT(star_alpha, (channels - 1) * packet_ns);
        const double expected = timesteps * 12 * packet_ns + star_alpha;
        EXPECT_NEAR(time(machine, ring_of(channels), Issue::dependency, 12 / channels), expected, edges_of(timesteps))
            << channels << " channels";
    }
}

/// Slices of a ring are one connection: its messages are sent one behind the other, and the first is whole before the
/// second begins. So slices hide more of a timestep than as many channels, whose packets take turns.
TEST(ChannelsOnAStar, TakeTurnsWhereSlicesFollowEachOther) {
    Machine machine(far_apart());
    RingParams slices;
    slices.slices = 3;
    ASSERT_GT(far_alpha, 2 * 4 * packet_ns);   // the other slices are sent before the first is there
    EXPECT_NEAR(time(machine, slices, Issue::dependency, 4),
                timesteps * (far_alpha + 4 * packet_ns) + 2 * 4 * packet_ns, edges_of(timesteps));
}

constexpr std::uint32_t island_ranks = 4, islands = 2, across = 2 * (island_ranks * islands - 1);
IslandsParams on_rails(bool rails) { return {island_ranks, {1000_Gbps, 100_ns, {}}, rails, 1}; }
/// From island to island: NICs, and four cables and three switches on rails, two and one without.
constexpr double rails_alpha = 100 + 100 + 4 * 500 + 3 * (300 + 64), one_switch_alpha = star_alpha;

/// The ring of one channel leaves each island by one NIC and enters the next by another, of another rail. So one
/// cable from that rail to the spine carries what all m islands send, m chunks of P packets: alpha + m P packets a
/// timestep. Each of K rotated channels leaves by a rail of its own with a K-th of that: alpha + m P / K. Where packets
/// of two islands meet, the last may wait for one. What stays on an island is done long before, at 125 times the
/// rate.
TEST(RotatedChannels, CrossBetweenIslandsByAsManyRails) {
    Machine machine(counted(island_ranks * islands, on_rails(true)));
    for (const std::uint32_t channels : {1u, 2u, 4u}) {
        SCOPED_TRACE(::testing::Message() << channels << " channels");
        const double simulated =
            time(machine, ring_of(channels, ChannelOrder::rotated), Issue::lock_step, 16 / channels);
        const double expected = across * (rails_alpha + islands * 16 * packet_ns / channels);
        EXPECT_GE(simulated, expected);
        EXPECT_LE(simulated, expected + across * packet_ns + edges_of(across));
    }
}

/// Between all NICs and one switch nobody meets: alpha + P / K.
TEST(RotatedChannels, CrossBetweenIslandsByAsManyNicsOfOneSwitch) {
    Machine machine(counted(island_ranks * islands, on_rails(false)));
    for (const std::uint32_t channels : {1u, 2u, 4u}) {
        const double expected = across * (one_switch_alpha + 16 * packet_ns / channels);
        EXPECT_NEAR(time(machine, ring_of(channels, ChannelOrder::rotated), Issue::lock_step, 16 / channels), expected,
                    edges_of(across))
            << channels << " channels";
    }
}

TEST(RotatedChannels, GainTheirNumberOverChannelsOfTheSameOrder) {
    Machine machine(counted(island_ranks * islands, on_rails(true)));
    const auto wire = [&](std::uint32_t channels, ChannelOrder order) {
        return time(machine, ring_of(channels, order), Issue::lock_step, 64 / channels) - across * rails_alpha;
    };
    const double one = wire(1, ChannelOrder::same);
    EXPECT_NEAR(one / wire(4, ChannelOrder::same), 1, 0.02);
    EXPECT_NEAR(one / wire(4, ChannelOrder::rotated), 4, 0.2);   // of 32 packets that meet, one waits for one
}

}   // namespace
}   // namespace oscar::channels_test
