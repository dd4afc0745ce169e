#include "sim/parameters/roofline_of.hpp"

#include <gtest/gtest.h>

#include "sim/parameters/nodes.hpp"

namespace oscar::roofline_of_test {
namespace {

using namespace literals;

/// int8 codes of eight ranks: their sums have 11 bits.
RooflineParams machine_of(const Parameters& p, const Nodes& nodes) {
    return roofline_of(p, nodes, {make_schedule(RingParams{}, p.ranks), ElementType::integer, 8});
}

TEST(RooflineOfAMachine, HasTheLinkTheDmaAndTheEngineThatAreConfigured) {
    Parameters p;
    p.network.link.bandwidth = 200_Gbps;
    p.gpu.dma_bandwidth = 1008_Gbps;
    p.engine.lanes = 256;
    p.engine.clock = 2_GHz;
    const RooflineParams machine = machine_of(p, nodes_of(p));
    EXPECT_EQ(machine.link_bandwidth, 200_Gbps);
    EXPECT_EQ(machine.dma_bandwidth, 1008_Gbps);
    EXPECT_EQ(machine.lanes, 256u);
    EXPECT_EQ(machine.clock, 2_GHz);
}

TEST(RooflineOfAMachine, HasItsSlowestNode) {
    Parameters p;
    Nodes nodes = nodes_of(p);
    nodes[3].gpu.dma_bandwidth = 100_Gbps;
    nodes[5].engine.clock = 500_MHz;
    EXPECT_EQ(machine_of(p, nodes).dma_bandwidth, 100_Gbps);
    EXPECT_EQ(machine_of(p, nodes).clock, 500_MHz);
}

TEST(RooflineOfAMachine, HasAPartOfTheUplinkOfAPcieSwitch) {
    Parameters p;
    p.gpu.dma_bandwidth = 461_Gbps;
    p.gpu.pcie_switch = PcieSwitchParams{.gpus = 4, .gpu_bandwidth = 300_Gbps};
    EXPECT_EQ(machine_of(p, nodes_of(p)).dma_bandwidth, 300_Gbps);
    p.gpu.pcie_switch->uplink = 800_Gbps;
    EXPECT_EQ(machine_of(p, nodes_of(p)).dma_bandwidth, 200_Gbps);
    p.gpu.pcie_switch->uplink = 2000_Gbps;
    EXPECT_EQ(machine_of(p, nodes_of(p)).dma_bandwidth, 300_Gbps);
}

TEST(RooflineOfAMachine, HasWholeBytesOfCodesAndSumsOrFp32InGpuMemory) {
    Parameters p;
    p.gpu.gradients = GradientForm::codes;
    EXPECT_EQ(machine_of(p, nodes_of(p)).read_bits, 8);
    EXPECT_EQ(machine_of(p, nodes_of(p)).written_bits, 16);
    p.gpu.gradients = GradientForm::fp32;
    EXPECT_EQ(machine_of(p, nodes_of(p)).read_bits, 32);
    EXPECT_EQ(machine_of(p, nodes_of(p)).written_bits, 32);
}

TEST(RooflineOfAMachine, OverlapsTheHalvesWhereFewerSlicesReduceThanThereAre) {
    const auto schedule_of = [](std::uint32_t slices, std::uint32_t in_flight) {
        RingParams ring;
        ring.slices = slices;
        ring.in_flight = in_flight;
        Parameters p;
        p.collective = ring;
        return machine_of(p, nodes_of(p)).schedule;
    };
    EXPECT_EQ(schedule_of(8, 0), RooflineSchedule::one_bucket);
    EXPECT_EQ(schedule_of(8, 8), RooflineSchedule::one_bucket);
    EXPECT_EQ(schedule_of(8, 7), RooflineSchedule::pipelined);
    EXPECT_EQ(schedule_of(1, 1), RooflineSchedule::one_bucket);
    Parameters p;
    p.collective = FlowsParams{};   // has no halves
    EXPECT_EQ(machine_of(p, nodes_of(p)).schedule, RooflineSchedule::one_bucket);
}

}   // namespace
}   // namespace oscar::roofline_of_test
