#include "sim/parameters/scaling.hpp"

#include <gmock/gmock.h>

#include "sim/config/load.hpp"

namespace oscar::scaling_test {
namespace {

using ::testing::HasSubstr;

Experiment experiment_of(const std::string& yaml) {
    Experiment experiment = read_experiment(parse_config(yaml, "scaled.yaml"), "scaled.yaml");
    resolve(experiment);
    return experiment;
}

const std::string synthetic = "{payload: synthetic, size: 1MiB, methods: [fp32], ";

TEST(Scale, DividesWhatAValueOccupiesAndLeavesLatenciesAndClocks) {
    const Parameters one =
        experiment_of(synthetic + "network: {overrides: [{link: '*', bandwidth: 80Gbps}]}}").parameters;
    const Parameters p =
        experiment_of(synthetic + "scale: 8, network: {overrides: [{link: '*', bandwidth: 80Gbps}]}}").parameters;
    EXPECT_EQ(p.network.link.bandwidth.mbps * 8, one.network.link.bandwidth.mbps);
    EXPECT_EQ(p.network.link.buffer.count * 8, one.network.link.buffer.count);
    EXPECT_EQ(p.network.overrides.front().bandwidth, std::optional(10_Gbps));
    const auto islands = experiment_of(synthetic + "scale: 8, ranks: 8, network: {topology: {kind: hierarchical}}}");
    EXPECT_EQ(std::get<IslandsParams>(islands.parameters.network.topology.params).island_link.bandwidth,
              std::optional(450_Gbps));
    const auto leaves = experiment_of(synthetic +
                                      "scale: 8, network: {topology: {kind: leaf_spine, spine_link: "
                                      "{bandwidth: 800Gbps}}}}");
    EXPECT_EQ(std::get<LeafSpineParams>(leaves.parameters.network.topology.params).spine_link.bandwidth,
              std::optional(100_Gbps));
    EXPECT_EQ(p.network.packet.count * 8, one.network.packet.count);
    EXPECT_EQ(p.network.header, 10_B);   // of 82
    EXPECT_EQ(p.network.flit.count * 8, one.network.flit.count);
    EXPECT_EQ(p.gpu.dma_bandwidth.mbps * 8, one.gpu.dma_bandwidth.mbps);
    EXPECT_EQ(p.gpu.memory_bandwidth.mbps * 8, one.gpu.memory_bandwidth.mbps);
    EXPECT_EQ(p.nic.adders * 8, one.nic.adders);
    EXPECT_EQ(p.engine.lanes * 8, one.engine.lanes);
    EXPECT_EQ(p.engine.mask_sram.count * 8, one.engine.mask_sram.count);
    EXPECT_EQ(p.network.link.propagation, one.network.link.propagation);
    EXPECT_EQ(p.gpu.dma_latency, one.gpu.dma_latency);
    EXPECT_EQ(p.gpu.kernel_latency, one.gpu.kernel_latency);
    EXPECT_EQ(p.nic.latency, one.nic.latency);
    EXPECT_EQ(p.engine.clock, one.engine.clock);
    EXPECT_EQ(p.engine.table_sram, one.engine.table_sram);
}

TEST(Scale, DividesTheLinksOfPcieSwitches) {
    const auto gpu = experiment_of(synthetic +
                                   "scale: 8, gpu: {pcie_switch: {gpus: 4, gpu_bandwidth: 80Gbps, uplink: 160Gbps, "
                                   "latency: 80ns}}}")
                         .parameters.gpu;
    EXPECT_EQ(gpu.pcie_switch, (PcieSwitchParams{4, 10_Gbps, 20_Gbps, 80_ns}));
}

TEST(Scale, DividesPackersAndMakesTheRestSlower) {
    struct Case {
        std::uint32_t packers, scale, left, interval;
    };
    for (const Case& c : {Case{16, 4, 4, 1}, Case{16, 16, 1, 1}, Case{1, 8, 1, 8}, Case{6, 4, 3, 2}}) {
        const auto engine = experiment_of(synthetic + "scale: " + std::to_string(c.scale) +
                                          ", engine: {packers: " + std::to_string(c.packers) + "}}")
                                .parameters.engine;
        EXPECT_EQ(engine.packers, c.left) << c.packers << " / " << c.scale;
        EXPECT_EQ(engine.packer_interval, c.interval) << c.packers << " / " << c.scale;
    }
}

/// A call that codes 1/8 of the values takes as long as one on all of them.
TEST(Scale, LeavesTheTimesOfCodingCalls) {
    const std::string rates = "gpu: {coding: {encode: [{values: 800, values_per_ns: 16}], decode: [{}]}}}";
    const auto coding = experiment_of(synthetic + "scale: 8, " + rates).parameters.gpu.coding;
    EXPECT_EQ(coding->encode, (std::vector<CodingRate>{{100, 2}}));
    EXPECT_EQ(coding->decode.front().values, 1'048'576u / 8);
}

std::string error_of(const std::string& yaml) {
    try {
        experiment_of(yaml);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Scale, IsRefusedWhereAPartIsNotScaled) {
    const auto error = [](const std::string& rest) { return error_of(synthetic + rest); };
    EXPECT_THAT(error("scale: 4, nodes: [{ranks: [0], slowdown: 2}]}"), HasSubstr("nodes is not scaled"));
    EXPECT_THAT(error("scale: 4, network: {background: {load: 0.1}}}"), HasSubstr("background is not scaled"));
    EXPECT_THAT(error("scale: 4, network: {flow_control: pfc}}"), HasSubstr("flow control"));
    EXPECT_THAT(error("scale: 4, tuner: {}}"), HasSubstr("tuner is not scaled"));
    EXPECT_THAT(error("scale: 3}"), HasSubstr("3 does not divide the 64 lanes"));
    EXPECT_THAT(error("scale: 64, network: {packet: 2KiB}}"), HasSubstr("choose a smaller scale"));
    EXPECT_THAT(error("scale: 65}"), HasSubstr("scale"));
    EXPECT_EQ(error("scale: 64}"), "no error");
}

}   // namespace
}   // namespace oscar::scaling_test
