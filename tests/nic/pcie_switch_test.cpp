// DMA behind the uplink of a PCI Express switch. Seeds are printed.
#include "models/nic/pcie_switch.hpp"

#include <gmock/gmock.h>

#include "tests/machine/support.hpp"

namespace oscar::pcie_switch_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;

/// Two GPUs whose NICs read a byte in 0.25 ns each, and reach them by an uplink.
GpuParams with_uplink(Bandwidth uplink) {
    GpuParams gpu{.dma_bandwidth = 32_Gbps, .dma_latency = 10_ns};
    gpu.pcie_switch = PcieSwitchParams{.gpus = 2, .gpu_bandwidth = 32_Gbps, .uplink = uplink};
    return gpu;
}

std::unique_ptr<Dma> dma_at(PcieSwitch& pcie, const GpuParams& gpu) {
    return make_dma(gpu, &pcie, read_latency(gpu), write_latency(gpu));
}

TEST(DmaLinkRate, IsThatOfTheSlowestLinkOnTheWay) {
    GpuParams gpu = with_uplink(64_Gbps);
    EXPECT_EQ(dma_link_rate(gpu), 32_Gbps);
    gpu.pcie_switch->gpu_bandwidth = 16_Gbps;
    EXPECT_EQ(dma_link_rate(gpu), 16_Gbps);
    EXPECT_EQ(write_rate(gpu).time_of(2000_B), 1_us);
    gpu.pcie_switch->uplink = 8_Gbps;
    EXPECT_EQ(dma_link_rate(gpu), 8_Gbps);
    gpu.pcie_switch.reset();
    EXPECT_EQ(dma_link_rate(gpu), 32_Gbps);
}

TEST(DmaLatency, HasTheSwitchTwiceInReadsAndOnceInWrites) {
    GpuParams gpu = with_uplink(64_Gbps);
    gpu.pcie_switch->latency = 3_ns;
    EXPECT_EQ(read_latency(gpu), 16_ns);
    EXPECT_EQ(write_latency(gpu), 13_ns);
    ChannelDma dma(gpu);
    EXPECT_EQ(dma.read({}, 40_B).at, 10_ns + 16_ns);
    EXPECT_EQ(dma.write(EventRun{{}}, 1, 40_B).at, 10_ns + 13_ns);
}

TEST(PcieUplink, IsSharedWhereItIsSlowerThanAllThatUseIt) {
    EXPECT_TRUE(shares_uplink(with_uplink({63'999})));
    EXPECT_FALSE(shares_uplink(with_uplink(64_Gbps)));
    GpuParams alone = with_uplink(8_Gbps);
    alone.pcie_switch->gpus = 1;
    EXPECT_FALSE(shares_uplink(alone)) << "the rate of the only one";
    GpuParams ports = with_uplink(8_Gbps);
    ports.pcie_switch->uplink.reset();
    EXPECT_FALSE(shares_uplink(ports));
}

TEST(PcieUplink, GivesASecondReadWhatTheFirstLeavesAndCountsTheDelay) {
    const GpuParams gpu = with_uplink(48_Gbps);
    PcieSwitch pcie(gpu);
    const auto first = dma_at(pcie, gpu), second = dma_at(pcie, gpu);
    for (Dma* dma : {first.get(), second.get()}) dma->begin(true);
    EXPECT_EQ(first->read({}, 4000_B).at, 1000_ns + 10_ns);
    const TimedEvent read = second->read({}, 4000_B);   // 2000 B at 16 Gbit/s, then 2000 B at 32
    EXPECT_EQ(read.at, 1500_ns + 10_ns);
    EXPECT_EQ(read.path.dma_ps, 1'500'000);
    EXPECT_EQ(read.path.latency_ps, 10'000);
    const TimedEvent written = second->write(EventRun{{}}, 1, 4000_B);   // the other direction is free
    EXPECT_EQ(written.at, 1000_ns + 10_ns);
    EXPECT_EQ(first->use().uplink->delayed, 0_ns);
    EXPECT_EQ(second->use().uplink->delayed, 500_ns);
    EXPECT_EQ(second->use().uplink->busy, 3 * Time{666'667}) << "of three transfers at 48 Gbit/s";
    EXPECT_THAT(second->use().read.spans, ElementsAre(Span{0_ns, 1500_ns}));
    first->begin(false);
    second->begin(false);
    EXPECT_EQ(second->read({}, 4000_B).at, 1000_ns + 10_ns) << "a job begins";
}

/// Packets and requests of PCI Express among them.
TEST(PcieUplink, ChangesNothingForOneDmaThatIsAlone) {
    test::Draws draw(5);
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE("seed 5, round " + std::to_string(round));
        GpuParams gpu = test::random_machine(draw).node.gpu;
        gpu.pcie_switch = PcieSwitchParams{
            4, {draw.between(20'000, 600'000)}, Bandwidth{draw.between(20'000, 900'000)}, draw.up_to(200_ns)};
        PcieSwitch pcie(gpu);
        const auto switched = dma_at(pcie, gpu);
        ChannelDma alone(gpu);
        switched->begin(true);
        alone.begin(true);
        for (int i = 0; i < 20; ++i) {
            const TimedEvent now{draw.up_to(20_us)};
            const Bytes size{draw.number(1, 70'000)};
            EventRuns a, b;
            const std::uint32_t count = draw.number(1, 4);
            switched->read(now, count, size, a);
            alone.read(now, count, size, b);
            for (std::uint32_t k = 0; k < count; ++k) {
                ASSERT_EQ(a[k].at, b[k].at);
                ASSERT_EQ(a[k].path, b[k].path);
            }
            const EventRun ready{now, draw.number(1, 5), draw.up_to(3_us)};
            ASSERT_EQ(switched->write(ready, count, size).at, alone.write(ready, count, size).at);
        }
        EXPECT_EQ(switched->use().read.busy, alone.use().read.busy);
        EXPECT_EQ(switched->use().write.spans, alone.use().write.spans);
        EXPECT_EQ(switched->use().uplink->delayed, 0_ns);
    }
}

}   // namespace
}   // namespace oscar::pcie_switch_test
