// Training files: what they give, and the place and words of each mistake.
#include "sim/parameters/training_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/config/error.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::training_file_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// The keys that a training must have, of which `changes` (lines of `key: value`) replace those of their key.
std::string training_with(const std::string& changes) {
    const std::vector<std::pair<std::string, std::string>> needed = {{"workload", "lenet-fmnist"},
                                                                     {"compute", "{forward: 1ms, backward: 2ms}"},
                                                                     {"machine", "{}"},
                                                                     {"gpu", "gpu.yaml"},
                                                                     {"methods", "[dense]"}};
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
    EXPECT_EQ(training.params.compute.backward, 2_ms);
    EXPECT_EQ(training.params.seeds, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(names_of(training), std::vector<std::string>{"dense"});
}

TEST(TrainingFile, ReadsItsMachineAsAnExperimentIsRead) {
    const TrainingFile training = training_of("machine: {gpu: {kernel_latency: 7us}, ranks: 4}");
    EXPECT_EQ(training.machine.gpu.kernel_latency, 7_us);
    EXPECT_EQ(training.machine.ranks, 4u);
}

TEST(TrainingFile, TakesMethodsOfLossyCompressorsAndOfTheNicsCodes) {
    const TrainingFile training =
        training_of("methods: [{kind: top_k, name: tenth, factor: 10, feedback: true}, {kind: oscar_hw, every: 2}]");
    EXPECT_EQ(names_of(training), (std::vector<std::string>{"tenth", "oscar_hw"}));
    EXPECT_EQ(training.methods[0].kind, "top_k");
    EXPECT_EQ(training.methods[0].source.child("factor").text, "10");
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
        {"compute: {foward: 1ms}", "a.yaml:1:11: compute.foward: no such parameter (did you mean forward?)"},
        {"compute: {forward: 1ms}", "a.yaml:1:10: compute.backward: is missing; write backward: VALUE"},
        {"compute: {forward: 0.001, backward: 2ms}", "a.yaml:1:20: compute.forward: '0.001' lacks its unit"},
        {"compute: {forward: ~, backward: 2ms}", "compute.forward: is missing"},
        {"machine: {gpu: {memory_eficiency: 1}}",
         "a.yaml:1:17: machine.gpu.memory_eficiency: no such parameter (did you mean memory_efficiency?)"},
        {"machine: {gpu: {memory_efficiency: 2}}", "machine.gpu.memory_efficiency: 2 is out of range"},
        {"methods: ~", "methods: is missing"},
        {"methods: []", "a.yaml:1:10: methods: a list of methods is due; write it like [dense, "},
        {"methods: dense", "a.yaml:1:10: methods: a list of methods is due"},
        {"methods: [dense, dense]", "a.yaml:1:18: methods.1: two are named 'dense'; give one another name"},
        {"methods: [{name: x}]", "a.yaml:1:11: methods.0: has no kind; write {name: tenth, kind: top_k, factor: 10}"},
        {"methods: [topk]", "a.yaml:1:11: methods.0: 'topk' is not known (did you mean top_k?)"},
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
        {"scale: 0", "scale: 0 is out of range"},
    };
    for (const auto& [changes, error] : mistakes) EXPECT_THAT(error_of(changes), HasSubstr(error)) << changes;
}

TEST(TrainingFile, NeedsItsWorkloadMachineMethodsAndPrices) {
    const TemporaryFolder files;
    const auto file = files.write("a.yaml", "compute: {forward: 1ms, backward: 1ms}\n");
    EXPECT_EQ(testing::error_of<ConfigError>(files, [&] { read_training(file); }),
              "a.yaml:1:1: workload: is missing; write workload: VALUE");
}

std::string price_error_of(const std::string& text) {
    const TemporaryFolder files;
    const auto file = files.write("gpu.yaml", text);
    return testing::error_of<ConfigError>(files, [&] { read_price_list(file); });
}

TEST(PriceList, HasBytesOrSecondsOfTheOperationsThatItNames) {
    const TemporaryFolder files;
    const PriceList list = read_price_list(
        files.write("gpu.yaml", "source: a list\nbytes: {elements: 8}\nseconds: {hashes: 1e-11, launch: 5e-6}\n"));
    EXPECT_EQ(list.bytes.elements, 8.0);
    EXPECT_EQ(list.seconds.elements, std::nullopt);
    EXPECT_EQ(list.seconds.launch, 5e-6);
}

TEST(PriceList, RefusesWhatContradictsItselfWithItsPlace) {
    EXPECT_THAT(price_error_of("source: a\nbytes: {elements: 8}\nseconds: {elements: 1e-12}\n"),
                HasSubstr("gpu.yaml:2:9: bytes.elements: has seconds, too; give an operation bytes or seconds"));
    EXPECT_THAT(price_error_of("source: a\nbytes: {launch: 8}\n"),
                HasSubstr("gpu.yaml:2:9: bytes.launch: a launch moves no bytes; write it below seconds"));
    EXPECT_THAT(price_error_of("source: a\nseconds: {elements: fast}\n"),
                HasSubstr("gpu.yaml:2:21: seconds.elements: 'fast' is no finite number"));
    EXPECT_THAT(price_error_of("source: a\nseconds: {element: 1}\n"), HasSubstr("(did you mean elements?)"));
    EXPECT_THAT(price_error_of("bytes: {elements: 8}\n"), HasSubstr("source: is missing"));
}

}   // namespace
}   // namespace oscar::training_file_test
