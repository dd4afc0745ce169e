// Lossy methods of an experiment: chains that make no sense, and chains with a codec.
#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"

namespace oscar::lossy_methods_test {
namespace {

using namespace test;
using ::testing::HasSubstr;

constexpr const char* experiment = "ranks: 4\niterations: {first: 0, count: 1}\nnetwork: {topology: {kind: star}}\n";

std::string error_of_methods(const std::string& methods) {
    return Laboratory(std::string(experiment) + methods).error();
}

TEST(LossyMethods, AreRefusedWhereTheChainMakesNoSense) {
    EXPECT_THAT(
        error_of_methods("methods: [{kind: power_sgd, codec: asc}]\n"),
        HasSubstr("methods.0: power_sgd: its messages hold no integers, which alone asc could code; leave out codec"));
    EXPECT_THAT(error_of_methods("methods: [{kind: oscar_sw, feedback: true}]\n"),
                HasSubstr("oscar_sw: it has a memory of its own"));
    EXPECT_THAT(error_of_methods("methods: [{kind: asc, codec: rans}]\n"), HasSubstr("codec"));
    EXPECT_THAT(error_of_methods("methods: [{kind: top_k, factr: 3}]\n"), HasSubstr("factr"));
    EXPECT_THAT(error_of_methods("methods: [top_k]\ncollective: {kind: all_gather}\n"),
                HasSubstr("top_k makes the mean of all ranks, which this collective does not"));
    EXPECT_THAT(error_of_methods("methods: [{kind: qsgd, levels: 40000}]\n"), HasSubstr("levels"));
}

TEST(LossyMethods, CodeWhatACompressorLeavesWhereTheChainHasACodec) {
    const Report report = Laboratory(std::string(experiment) +
                                     "methods: [{kind: top_k, factor: 8, name: words}, {kind: top_k, factor: 8, codec: "
                                     "rans, name: coded}]\n")
                              .run();
    ASSERT_EQ(report.methods.size(), 2U);
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true);
    EXPECT_LT(report.methods[1].payload_bytes, report.methods[0].payload_bytes);
}

/// Two nodes of two, whose GPUs have ports to each other: what stays in a node passes no NIC.
const std::string on_nodes =
    "ranks: 4\niterations: {first: 0, count: 1}\nnetwork: {topology: {kind: hierarchical, island: 2}}\n"
    "gpu: {island_port: {}, gradients: codes}\n";
const std::string lossy_kinds_of_many_ways =
    "methods: [{kind: top_k, factor: 8}, {kind: tagc, ratio: 4, min_elements: 16}, {kind: power_sgd, rank: 1}, qsgd]\n";

void expect_sums_on_nodes(const std::string& collective) {
    const Report report = Laboratory(on_nodes + lossy_kinds_of_many_ways + collective).run();
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true) << method.name;
}
TEST(LossyMethods, LeaveTheSumsOfTheReferenceOnNodes) { expect_sums_on_nodes("collective: hierarchical\n"); }
TEST(LossyMethods, LeaveTheSumsOfTheReferenceOnNodesInShards) { expect_sums_on_nodes("collective: reduce_scatter\n"); }

}   // namespace
}   // namespace oscar::lossy_methods_test
