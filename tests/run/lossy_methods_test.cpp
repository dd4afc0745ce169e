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

}   // namespace
}   // namespace oscar::lossy_methods_test
