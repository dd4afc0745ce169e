// PCI Express switches in a run: their utilisation, the name of what limits, and who cannot be folded or predicted.
#include <gmock/gmock.h>

#include <algorithm>

#include "sim/parameters/folding.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::pcie_switch_run_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// Two nodes of four GPUs whose NICs are faster than their DMA.
test::SyntheticFile two_nodes() {
    return test::SyntheticFile(
        "ranks: 8\nsize: 1MiB\nmethods: [fp32]\ncollective: hierarchical\n"
        "network: {topology: {kind: hierarchical, island: 4}, link: {bandwidth: 400Gbps}}\n"
        "gpu: {island_port: {}, dma_bandwidth: 200Gbps}\n");
}

Json method_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    return file.report(changes)["methods"][0];
}

std::string uplink(const std::string& rate) {
    return "gpu.pcie_switch={gpus: 2, gpu_bandwidth: 200Gbps, uplink: " + rate + "}";
}

TEST(PcieSwitchesOfARun, ChangeNothingWhereTheyAreAsFastAsAllTheirGpus) {
    const test::SyntheticFile file = two_nodes();
    const Json without = method_of(file, {});
    for (const char* none :
         {"gpu.pcie_switch={gpu_bandwidth: 200Gbps}", "gpu.pcie_switch={gpu_bandwidth: 200Gbps, uplink: 400Gbps}"})
        EXPECT_EQ(method_of(file, {none}), without) << none;
    EXPECT_FALSE(without.contains("pcie_uplink_utilisation"));
    const Json through = method_of(file, {"gpu.pcie_switch={gpu_bandwidth: 200Gbps, latency: 100ns}"});
    EXPECT_GT(through["allreduce_ps"], without["allreduce_ps"]);
    EXPECT_EQ(through["critical_path"]["dma_ps"], without["critical_path"]["dma_ps"]) << "only a latency";
    const Json narrow = method_of(file, {"gpu.pcie_switch={gpu_bandwidth: 100Gbps}"});
    EXPECT_EQ(narrow, method_of(file, {"gpu.dma_bandwidth=100Gbps"})) << "the slower of two links in a row decides";
}

TEST(PcieSwitchesOfARun, AreNamedWhereTheirUplinksLimit) {
    const test::SyntheticFile file = two_nodes();
    const Json half = method_of(file, {uplink("200Gbps")}), most = method_of(file, {uplink("390Gbps")});
    EXPECT_EQ(half["bottleneck"], "PCIe uplink");
    EXPECT_GT(half["pcie_uplink_utilisation"], most["pcie_uplink_utilisation"]);
    EXPECT_LE(half["pcie_uplink_utilisation"], 1.0);
    EXPECT_GT(half["allreduce_ps"], most["allreduce_ps"]);
}

/// An uplink of `u` Gbit/s is busy for 2 x 200 / u of the time in which two engines of 200 Gbit/s are, if none waits
/// for it; each that waits is occupied for longer. A block of 256 B takes 5 ns, rounded up to a picosecond.
TEST(PcieSwitchesOfARun, CarryTheBytesOfAllTheirGpus) {
    const Json method = method_of(two_nodes(), {uplink("399Gbps")}), alone = method_of(two_nodes(), {});
    const double time = static_cast<double>(alone["allreduce_ps"]) / static_cast<double>(method["allreduce_ps"]);
    const double dma = alone["dma_utilisation"], shared = method["pcie_uplink_utilisation"];
    EXPECT_NEAR(shared, dma * time * 400 / 399, 2e-4 * shared);
    EXPECT_GE(method["dma_utilisation"].get<double>(), dma * time);
}

TEST(PcieSwitchesOfARun, HaveAClosedFormAndFoldWhereNobodySharesThem) {
    const test::SyntheticFile file("ranks: 12\nsize: 48KiB\nmethods: [fp32]\n");
    const Json alone = method_of(file, {"gpu.pcie_switch={latency: 150ns, gpu_bandwidth: 90Gbps}"});
    EXPECT_EQ(alone["closed_form_ps"], alone["allreduce_ps"]);
    EXPECT_TRUE(method_of(file, {uplink("300Gbps")})["closed_form_ps"].is_null());
    const auto problem = [&](const std::string& change) {
        const auto found = find_folding_problem(file.load({change}).parameters);
        return found ? found->key : std::string("none");
    };
    EXPECT_EQ(problem("gpu.pcie_switch={latency: 150ns}"), "none");
    EXPECT_EQ(problem(uplink("300Gbps")), "gpu.pcie_switch.uplink");
}

std::string error_of(const test::SyntheticFile& file, const std::vector<std::string>& changes) {
    try {
        file.load(changes);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(PcieSwitchesOfARun, HaveAllTheSameNumberOfGpus) {
    const test::SyntheticFile file = two_nodes();
    const auto of = [&](const std::string& gpus, const char* more = "seed=1") {
        return error_of(file, {"gpu.pcie_switch={uplink: 200Gbps, gpus: " + gpus + "}", more});
    };
    for (const char* right : {"1", "2", "4"}) EXPECT_EQ(of(right), "no error");
    EXPECT_THAT(of("3"), HasSubstr("gpu.pcie_switch.gpus: of 4 GPUs 1 are left for the last PCIe switch; choose a "
                                   "divisor of 4"));
    EXPECT_THAT(of("8"), HasSubstr("choose a divisor of 4"));
    EXPECT_EQ(of("2", "network.topology.gpus_per_nic=2"), "no error");
    EXPECT_THAT(of("1", "network.topology.gpus_per_nic=2"),
                HasSubstr("2 GPUs share a NIC, and some of them are on another switch; choose a multiple of 2"));
    EXPECT_THAT(of("2", "nodes=[{ranks: [1], gpu: {pcie_switch: {gpus: 4}}}]"),
                HasSubstr("nodes.0.gpu.pcie_switch: all PCIe switches are alike"));
    EXPECT_THAT(of("0"), HasSubstr("gpu.pcie_switch.gpus"));
    EXPECT_EQ(error_of(file, {"gpu.pcie_switch={gpus: 3}"}), "no error") << "they share nothing";
}

}   // namespace
}   // namespace oscar::pcie_switch_run_test
