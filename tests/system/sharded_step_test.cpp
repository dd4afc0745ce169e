// The step with sharded parameters as a user runs it.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::sharded_step_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

nlohmann::ordered_json methods_of(const std::string& command) {
    const Folder out;
    const auto run = oscar_sim(command + " -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(out.text())["methods"];
}

const std::string step = "run configs/experiments/fsdp.yaml --set methods='[fp32, fixed_point]'";

TEST(ShardedStepProgram, PrintsWhereTheStepGoes) {
    const Folder out;
    const auto run = oscar_sim(step + " -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, ContainsRegex("parameters sharded, gathered 1[ \n]+ahead and again for the backward pass"));
    EXPECT_THAT(run.output, HasSubstr("gather for backward pass"));
    EXPECT_GT(test::report_in(out.text())["methods"][1]["step"]["speedup"]["fp32"], 1.0);
}

TEST(ShardedStepProgram, GathersForAsLongAsAnAllGatherOfTheSameWordsTakes) {
    // The model's 56322 values in one unit, and a gradient of as many, 4 * 56322 = 225288 B, without a trace.
    const auto gathers = methods_of(
        "run configs/experiments/synthetic.yaml --set size=225288B --set ranks=8 --set network.link.bandwidth=10Gbps "
        "--set collective='{kind: all_gather, issue: lock_step}' --set methods='[fp32, bf16]'");
    for (const auto& gather : gathers) {
        const auto whole = methods_of(step + " --set step.buckets.first=1GiB --set step.buckets.size=1GiB" +
                                      " --set step.parameters=" + gather["name"].get<std::string>());
        EXPECT_EQ(whole[0]["step"]["sharding"]["gather_forward_ps"], gather["allreduce_ps"]);
        EXPECT_EQ(whole[0]["step"]["sharding"]["gather_backward_ps"], 0);   // the only unit is that at the turn
    }
    EXPECT_GT(gathers[0]["allreduce_ps"], gathers[1]["allreduce_ps"]);
}

TEST(ShardedStepProgram, SavesTheBackwardGathersWithoutReshard) {
    const std::string serial = step + " --set step.forward=0s --set step.backward=0s";   // no pass hides anything
    const auto again = methods_of(serial), kept = methods_of(serial + " --set step.reshard=false");
    for (std::size_t m = 0; m < 2; ++m) {
        const auto &a = again[m]["step"], &k = kept[m]["step"];
        EXPECT_EQ(a["step_ps"].get<std::int64_t>() - k["step_ps"].get<std::int64_t>(),
                  a["sharding"]["gather_backward_ps"].get<std::int64_t>());
    }
}

}   // namespace
}   // namespace oscar::sharded_step_test
