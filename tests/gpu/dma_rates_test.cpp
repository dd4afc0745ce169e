// DMA over PCI Express, by hand and against published rates.
#include "models/gpu/dma_rates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace oscar::dma_rates_test {
namespace {

using namespace literals;

TEST(DmaRates, AreNetOfHeadersWherePayloadIsNotGiven) {
    const GpuParams gpu;
    EXPECT_EQ(read_rate(gpu).net(), gpu.dma_bandwidth);
    EXPECT_EQ(net_dma_bandwidth(gpu), gpu.dma_bandwidth);
}

/// The default, 461 Gbps, is that of packets of 256 bytes at the raw rate of PCI Express 5.0 x16.
TEST(DmaRates, OfRawPackagesOf256BytesAreTheDefault) {
    GpuParams gpu;
    gpu.dma_bandwidth = 504_Gbps;
    gpu.dma_payload = 256_B;
    EXPECT_NEAR(static_cast<double>(net_dma_bandwidth(gpu).mbps), static_cast<double>(GpuParams{}.dma_bandwidth.mbps),
                500);
}

/// A request of 512 bytes has two packets, 560 bytes in all, 560 ns at 8 Gbit/s; 700 ns and that for 4 of them.
TEST(DmaRates, OfReadsWaitForTheirAnswers) {
    GpuParams gpu;
    gpu.dma_bandwidth = 8_Gbps;
    gpu.dma_latency = 700_ns;
    gpu.dma_payload = 256_B;
    gpu.dma_reads = 4;
    EXPECT_EQ(read_rate(gpu).between, 315_ns);
    EXPECT_EQ(read_rate(gpu).time_of(512_B), 560_ns);   // four are enough
    gpu.dma_reads = 1;
    EXPECT_EQ(read_rate(gpu).time_of(512_B), 1260_ns);
    EXPECT_EQ(write_rate(gpu).time_of(512_B), 560_ns);
}

/// Rates in MB/s that Microchip measured of DMA between a PC and the PCI Express block of a PolarFire FPGA, with
/// packets of 128 bytes: 8 requests under way in the AXI master, 4 in the slave (PolarFire FPGA and PolarFire SoC FPGA
/// PCI Express user guide, sections 3.5.1 and 3.5.2, https://onlinedocs.microchip.com). `link`: after 8b/10b.
struct Published {
    double link, read, write;
};
constexpr std::array master{Published{250, 206, 226},  Published{500, 411, 453},  Published{500, 410, 439},
                            Published{1000, 814, 875}, Published{1000, 811, 830}, Published{2000, 1181, 1508}};
constexpr std::array slave{Published{250, 204, 226},  Published{500, 411, 453},  Published{500, 397, 440},
                           Published{1000, 599, 877}, Published{1000, 483, 831}, Published{2000, 665, 1646}};
/// One figure is fitted, to one of the 24: the latency with which the master reads 1181 MB/s over 2000. The bar of 20 %
/// is that of other published machines (docs/validation.md).
constexpr Time fitted = 791_ns;
constexpr double bar = 0.20;

double rate_of(const ChannelRate& rate) { return static_cast<double>(rate.net().mbps) / 8; }

TEST(DmaRates, MeetPublishedOnesByLinkAndRequestsUnderWay) {
    double largest = 0;
    const auto compare = [&](const auto& rows, std::uint32_t requests) {
        for (const Published& row : rows) {
            GpuParams gpu;
            gpu.dma_bandwidth = Bandwidth{static_cast<std::uint64_t>(8 * row.link)};
            gpu.dma_latency = fitted;
            gpu.dma_payload = gpu.dma_request = 128_B;
            gpu.dma_reads = requests;
            for (const double error :
                 {rate_of(read_rate(gpu)) / row.read - 1, rate_of(write_rate(gpu)) / row.write - 1}) {
                EXPECT_LE(std::abs(error), bar) << row.link << " MB/s, " << requests << " requests";
                largest = std::max(largest, std::abs(error));
            }
        }
    };
    compare(master, 8);
    compare(slave, 4);
    RecordProperty("largest_error_percent", static_cast<int>(std::lround(100 * largest)));
    EXPECT_NEAR(100 * largest, 12, 1.5);   // docs/gpu.md
}

}   // namespace
}   // namespace oscar::dma_rates_test
