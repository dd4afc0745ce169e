// Methods on nodes with two ways out: coded between islands, uncoded inside.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::island_port_test {
namespace {

using namespace test;   // methods, iterations and laboratories
using ::testing::HasSubstr;

const std::string
    machine_yaml =
        "ranks: 4\ncollective: {kind: hierarchical, island: 2}\nnetwork: {topology: {kind: hierarchical, island: 2}}\n",
    port_yaml = "gpu: {gradients: codes, island_port: {}}\n";

TEST(IslandPort, LeavesTheSumsOfTheReferenceWithEveryCodecAndPayload) {
    SmallMachine machine(two_islands());
    expect_equal_sums_and_no_closed_form(machine);
}

/// 4000 values: of its half, each rank sends a quarter to its neighbour as codes of 8 bits and a quarter as sums of 10.
TEST(IslandPort, CodesNothingInside) {
    SmallMachine machine(two_islands());
    std::vector<std::uint64_t> bytes;
    for (const Method& method : {fixed, asc}) {
        MethodRun run = run_of(machine, method);
        run.warm_up(uneven(6, false, 1));
        run.iterate(machine.system, uneven(7, true, 2), {}, {});
        bytes.push_back(run.results().front().payload_bytes);
    }
    constexpr std::uint64_t inside = 4 * 2 * 1000 * (8 + 10) / 8, between = 4 * 1000 * (9 + 10) / 8;
    EXPECT_EQ(bytes[0], inside + between);
    EXPECT_GT(bytes[1], inside);
    EXPECT_LT(bytes[1], inside + between);
}

TEST(IslandPort, OfAnExperimentLeavesEqualSumsAndNoNote) {
    const Report with = Laboratory(machine_yaml + port_yaml + "methods: [fp32, asc]\n").run();
    for (const MethodReport& method : with.methods) EXPECT_EQ(method.sums_match_reference, true);
    EXPECT_THAT(with.notes, ::testing::Not(::testing::Contains(HasSubstr("links inside an island"))));
}

std::string error_of(const std::string& yaml) { return Laboratory(yaml).error(); }

TEST(IslandPort, IsRefusedWhereItCannotBe) {
    EXPECT_THAT(error_of("ranks: 4\n" + port_yaml), HasSubstr("gpu.island_port: network.topology has no islands"));
    EXPECT_THAT(error_of(machine_yaml + "gpu: {island_port: {}}\nmethods: [fp32, asc]\n"),
                HasSubstr("kernels add what asc sends, and with gpu.gradients: fp32 the NIC alone makes that"));
    EXPECT_THAT(error_of(machine_yaml + port_yaml + "delta_gather: true\nmethods: [asc]\n"),
                HasSubstr("gpu.island_port: with delta_gather"));
    EXPECT_THAT(error_of(machine_yaml + port_yaml + "methods: [{kind: top_k, codec: asc}]\n"),
                HasSubstr("leave out its codec, or the port"));
    EXPECT_THAT(error_of(machine_yaml + port_yaml + "nodes: [{ranks: [1], gpu: {island_port: null}}]\n"),
                HasSubstr("nodes.0.gpu.island_port: all GPUs have such a port or none"));
}

}   // namespace
}   // namespace oscar::island_port_test
