#include "sim/parameters/foreign_keys.hpp"

#include <gmock/gmock.h>

#include "sim/config/load.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::foreign_keys_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(ConfigNode source) {
    try {
        read_experiment(std::move(source), "own.yaml");
        return "no error";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

std::string error_of_own(std::string_view yaml) { return error_of(parse_config(yaml, "own.yaml")); }

TEST(ForeignKeys, SayWhatIsMeant) {
    EXPECT_EQ(error_of_own("machine: dgx-h100"),
              "own.yaml:1:1: machine: is named by base, like base: dgx-h100; oscar-sim describe machine lists them");
    EXPECT_THAT(error_of_own("gpus: 32"), HasSubstr("gpus: are ranks; write ranks: 32"));
    EXPECT_THAT(error_of_own("topology: star"), HasSubstr("write network: {topology: {kind: star}}"));
    EXPECT_THAT(error_of_own("compressor: top_k"), HasSubstr("here a lossy compressor is a method"));
}

TEST(ForeignKeys, SayThatTheNumberOfNodesFollowsFromRanks) {
    EXPECT_THAT(error_of_own("nodes: 4"), AllOf(HasSubstr("own.yaml:1:8: nodes: is a list of nodes that differ"),
                                                HasSubstr("write ranks: 32 for four nodes of eight GPUs")));
    EXPECT_EQ(error_of_own("nodes: [{ranks: [1]}]"), "no error");
}

TEST(ForeignKeys, StrategiesOfOtherToolsAreAnsweredWithWhatThereIs) {
    EXPECT_EQ(
        error_of_own("step: {strategy: zero2}"),
        "own.yaml:1:18: step.strategy: 'zero2': ZeRO's stages 1 and 2 are not modelled; ddp sends as many bytes in "
        "one AllReduce as their reduce-scatter and gather together, fsdp is stage 3");
    EXPECT_EQ(error_of_own("step: {strategy: ZeRO-3}"),
              "own.yaml:1:18: step.strategy: 'ZeRO-3': ZeRO's stage 3 is called fsdp; write fsdp");
    EXPECT_THAT(error_of_own("step: {strategy: zero_1}"), HasSubstr("stages 1 and 2 are not modelled"));
    EXPECT_THAT(error_of_own("step: {strategy: Fully Sharded Data Parallel}"), HasSubstr("write fsdp"));
    for (const std::string word : {"TP", "tensor-parallel", "pp", "expert_parallel"})
        EXPECT_THAT(error_of_own("step: {strategy: " + word + "}"),
                    HasSubstr("is not modelled; a step is data-parallel"))
            << word;
    EXPECT_THAT(error_of_own("step: {strategy: fsdd}"), HasSubstr("'fsdd' is not known (did you mean fsdp?)"));
    for (const std::string word : {"ddp", "fsdp"})
        EXPECT_EQ(error_of_own("step: {strategy: " + word + "}"), "no error") << word;
}

TEST(ForeignKeys, OfAnotherFileAreNotRepeated) {
    ConfigNode root = parse_config("seed: 1\nSECRET: 2", "other.txt");
    overlay(root, parse_config("ranks: 4", "own.yaml"));
    EXPECT_THAT(error_of(root), AllOf(HasSubstr("other.txt:2:1: no such parameter of an experiment; known: bucket"),
                                      Not(HasSubstr("SECRET"))));
    EXPECT_THAT(error_of_own("rankz: 4"), HasSubstr("own.yaml:1:1: rankz: no such parameter (did you mean ranks?)"));
    ConfigNode near = parse_config("rankz: 4", "base.yaml");
    overlay(near, parse_config("seed: 4", "own.yaml"));
    EXPECT_THAT(error_of(near), HasSubstr("base.yaml:1:1: no such parameter of an experiment (did you mean ranks?)"));
}

}   // namespace
}   // namespace oscar::foreign_keys_test
