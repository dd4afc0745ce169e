// Training files: what they give, and the place and words of each mistake.
#include "sim/parameters/training_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sim/config/error.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::training_file_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// The keys that a training must have, of which `changes` (lines of `key: value`) replace those of their key.
std::string training_with(const std::string& changes) {
    const std::vector<std::pair<std::string, std::string>> needed = {
        {"workload", "lenet-fmnist"}, {"machine", "{}"}, {"methods", "[dense]"}};
    std::string text = changes + "\n";
    for (const auto& [key, value] : needed)
        if (!changes.starts_with(key + ":")) text += key + ": " + value + "\n";
    return text;
}

TrainingFile training_of(const std::string& changes) {
    const TemporaryFolder files;
    return read_training(files.write("a.yaml", training_with(changes)));
}

std::string error_of(const std::string& changes) {
    const TemporaryFolder files;
    const auto file = files.write("a.yaml", training_with(changes));
    return testing::error_of<ConfigError>(files, [&] { read_training(file); });
}

std::vector<std::string> names_of(const TrainingFile& training) {
    std::vector<std::string> names;
    for (const TrainingMethod& method : training.methods) names.push_back(method.name);
    return names;
}

TEST(TrainingFile, HasTheDefaultsOfItsParametersAndIsNamedAsTheFile) {
    const TrainingFile training = training_of("");
    EXPECT_EQ(training.params.name, "a");
    EXPECT_EQ(training.params.seeds, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(names_of(training), std::vector<std::string>{"dense"});
}

TEST(TrainingFile, ReadsItsMachineAsAnExperimentIsRead) {
    const TrainingFile training = training_of("machine: {gpu: {kernel_latency: 7us}, scale: 4}");
    EXPECT_EQ(training.machine.gpu.kernel_latency, 7_us);
    EXPECT_EQ(training.machine.scale, 4u);
}

TEST(TrainingFile, TakesTheMethodsOfAnExperiment) {
    const TrainingFile training =
        training_of("methods: [{kind: top_k, name: tenth, factor: 10, feedback: true}, {kind: asc, split: context}]");
    EXPECT_EQ(names_of(training), (std::vector<std::string>{"tenth", "asc"}));
    EXPECT_EQ(training.methods[0].kind, "top_k");
    EXPECT_EQ(training.methods[0].source.child("factor").text, "10");
}

TEST(TrainingFile, HasTheKeysOfAPublishedMethodInPlaceOfItsName) {
    for (const char* methods : {"methods: [{kind: oscar_hw, name: best}]",
                                "methods: [{kind: asc, split: context, adapt: symbol, chunks: {kind: greedy}, "
                                "classes: {kind: mixed}, name: best}]"}) {
        const TrainingMethod method = training_of(methods).methods.front();
        EXPECT_EQ(method.kind + " " + method.name, "asc best");
        std::map<std::string, std::string> keys;   // what the identity of its records is made of
        for (const ConfigNode& entry : method.source.children)
            keys[entry.key] = entry.form == ConfigNode::Form::map ? entry.child("kind").text : entry.text;
        EXPECT_EQ(keys, (std::map<std::string, std::string>{{"kind", "asc"},
                                                            {"split", "context"},
                                                            {"adapt", "symbol"},
                                                            {"chunks", "greedy"},
                                                            {"classes", "mixed"},
                                                            {"name", "best"}}))
            << methods;
    }
}

TEST(TrainingFile, TakesMethodsOfFilesBesideItWhichMayNameOthers) {
    const TemporaryFolder files;
    files.write("one.yaml", "- qsgd\n- two.yaml\n");
    files.write("two.yaml", "[terngrad]\n");
    const auto file = files.write("a.yaml", training_with("methods: [dense, one.yaml]"));
    EXPECT_EQ(names_of(read_training(file)), (std::vector<std::string>{"dense", "qsgd", "terngrad"}));
}

TEST(TrainingFile, MayNameAFileOfMethodsTwiceOnDifferentWaysIfTheirNamesDiffer) {
    const TemporaryFolder files;
    files.write("one.yaml", "- dense\n");
    files.write("two.yaml", "- qsgd\n");
    const auto file = files.write("a.yaml", training_with("methods: [one.yaml, two.yaml]"));
    EXPECT_EQ(names_of(read_training(file)), (std::vector<std::string>{"dense", "qsgd"}));
}

TEST(TrainingFile, RefusesAFileOfMethodsThatLeadsBackToItself) {
    const TemporaryFolder files;
    files.write("one.yaml", "- two.yaml\n");
    files.write("two.yaml", "- one.yaml\n");
    const auto file = files.write("a.yaml", training_with("methods: [one.yaml]"));
    EXPECT_EQ(testing::error_of<ConfigError>(files, [&] { read_training(file); }),
              "two.yaml:1:3: 0: 'one.yaml' is a file that leads back to itself; remove it here");
}

TEST(TrainingFile, TellsThePlaceAndTheRemedyOfEachMistake) {
    const std::pair<const char*, const char*> mistakes[] = {
        {"step: 5", "a.yaml:1:1: step: no such parameter (did you mean steps?); known: "},
        {"machine: {gpu: {memory_eficiency: 1}}",
         "a.yaml:1:17: machine.gpu.memory_eficiency: no such parameter (did you mean memory_efficiency?)"},
        {"machine: {gpu: {memory_efficiency: 2}}", "machine.gpu.memory_efficiency: 2 is out of range"},
        {"methods: ~", "methods: is missing"},
        {"methods: []", "a.yaml:1:10: methods: a list of methods is due; write it like [dense, "},
        {"methods: dense", "a.yaml:1:10: methods: a list of methods is due"},
        {"methods: [dense, dense]", "a.yaml:1:18: methods.1: two are named 'dense'; give one another name"},
        {"methods: [{name: x}]", "a.yaml:1:11: methods.0: has no kind; write {name: tenth, kind: top_k, factor: 10}"},
        {"methods: [topk]", "a.yaml:1:11: methods.0: 'topk' is not known (did you mean top_k?)"},
        {"methods: [{kind: top_k, sharded: true}]", "methods.0.sharded: no such parameter"},
        {"methods: [{kind: top_k, facter: 10}]", "methods.0.facter: no such parameter (did you mean factor?)"},
        {"methods: [{kind: dense, feedback: 1}]", "methods.0.feedback: '1' is neither true nor false"},
        {"methods: [{kind: dense, name: a/b}]", "methods.0.name: 'a/b' cannot name a folder"},
        {"methods: [none.yaml]", "a.yaml:1:11: methods.0: no file "},
        {"name: a/b", "a.yaml:1:7: name: 'a/b' cannot name a folder"},
        {"name: .a", "a.yaml:1:7: name: '.a' names files of results; write it without a leading dot"},
        {"seeds: 1", "a.yaml:1:8: seeds: is a single value, but a list is due"},
        {"seeds: []", "a.yaml:1:8: seeds: no seed; write at least one"},
        {"seeds: [1, 2, 1]", "a.yaml:1:8: seeds: a seed is there twice"},
        {"ranks: eight", "a.yaml:1:8: ranks: 'eight' is no whole number from 2 to 2147483647"},
        {"ranks: 1", "a.yaml:1:8: ranks: 1 is out of range"},
        {"epoch: 0", "epoch: 0 is out of range"},
        {"learning_rate: -1", "learning_rate: -1 is out of range"},
        {"machine: {ranks: 4}", "a.yaml:1:11: machine.ranks: follows from the training"},
        {"machine: {methods: [fp32]}", "machine.methods: follows from the training"},
    };
    for (const auto& [changes, error] : mistakes) EXPECT_THAT(error_of(changes), HasSubstr(error)) << changes;
}

TEST(TrainingFile, NeedsItsWorkloadMachineAndMethods) {
    const TemporaryFolder files;
    const auto file = files.write("a.yaml", "machine: {}\n");
    EXPECT_EQ(testing::error_of<ConfigError>(files, [&] { read_training(file); }),
              "a.yaml:1:1: workload: is missing; write workload: VALUE");
}

}   // namespace
}   // namespace oscar::training_file_test
