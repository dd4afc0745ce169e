// Words that the program does not know, files that are for another command, and names of folders.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/system/program.hpp"

namespace oscar::command_line_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Fails unless the program refuses these arguments in one line with status 2; gives the line.
std::string refusal(const std::string& arguments) {
    const auto run = oscar_sim(arguments);
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    return run.output;
}

TEST(CommandLine, NamesAnUnknownCommandAndSuggestsTheNearest) {
    EXPECT_EQ(refusal("rnu"),
              "oscar-sim: 'rnu': no such command (did you mean run?); known: run, traffic, predict, fit, report, "
              "compare, live, sweep, "
              "describe, trace\n");
    EXPECT_THAT(refusal("rnu configs/experiments/demo.yaml -o /tmp/x"),
                StartsWith("oscar-sim: 'rnu': no such command"));
    EXPECT_THAT(refusal("fly"), StartsWith("oscar-sim: 'fly': no such command; known: run"));
    EXPECT_THAT(refusal("trace ifno traces/lenet-fmnist"), HasSubstr("'ifno': no such command (did you mean info?)"));
}

TEST(CommandLine, NamesAnUnknownOptionAndSuggestsTheNearest) {
    EXPECT_THAT(refusal("run configs/experiments/demo.yaml --otuput /tmp/x"),
                HasSubstr("'--otuput': no such option (did you mean --output?); known: --help, --set, --output"));
}

TEST(CommandLine, PromisesOneValueForEachSetWhichTakesNoMore) {
    const std::string help = oscar_sim("run --help").output;
    EXPECT_THAT(help, HasSubstr("--set KEY=VALUE  "));
    EXPECT_THAT(help, HasSubstr("once\n"));
    EXPECT_THAT(refusal("run demo --set ranks=4 seed=2"), HasSubstr("seed=2"));
}

TEST(CommandLine, SuggestsWordsWhoseLettersChangedPlaces) {
    EXPECT_THAT(oscar_sim("run configs/experiments/demo.yaml --set rnaks=4").output,
                HasSubstr("(did you mean ranks?)"));
    EXPECT_THAT(oscar_sim("run configs/experiments/demo.yaml --set 'methods=[acs]'").output,
                HasSubstr("(did you mean asc?)"));
    EXPECT_THAT(oscar_sim("describe lnik").output, HasSubstr("(did you mean link?)"));
    EXPECT_THAT(oscar_sim("describe topology mehs").output, HasSubstr("(did you mean mesh?)"));
}

TEST(CommandLine, TakesAConfigurationFromStandardInput) {
    const auto piped = [](const std::string& text) {
        return test::shell("printf '" + text + "' | " OSCAR_SIM " run - -o - -q --set ranks=4");
    };
    const auto run = piped("payload: synthetic\\nsize: 4KiB\\nmethods: [fp32]\\n");
    ASSERT_EQ(run.status, 0) << run.output;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["experiment"], "standard-input");
    EXPECT_EQ(report["config"]["ranks"], 4);
    EXPECT_THAT(piped("base: demo\\nmethods: [fp32]").output, HasSubstr("\"name\": \"lenet-fmnist\""));
    const auto wrong = piped("payload: synthetic\\nrankz: 4\\n");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.output, StartsWith("oscar-sim: standard input:2:1: rankz: no such parameter"));
    EXPECT_THAT(piped("").output, HasSubstr("standard input:1:1: is empty"));
}

TEST(CommandLine, PrintsNoControlCharactersInItsHelp) {
    for (const char* command : {"", "run", "traffic", "predict", "sweep", "describe", "trace", "trace info",
                                "trace verify", "trace hash", "trace convert", "trace slice", "trace generate"}) {
        const auto help = oscar_sim(std::string(command) + " --help");
        EXPECT_EQ(help.status, 0) << command;
        for (const char c : help.output) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << command;
    }
    EXPECT_THAT(oscar_sim("trace generate --help").output, HasSubstr("{f4,f2}"));
    EXPECT_THAT(oscar_sim("trace generate /tmp/oscar-none --dtype f8").output, HasSubstr("f8 not in {f4,f2}"));
}

TEST(CommandLine, NamesTheCommandForAFileOfAnotherKind) {
    const std::string sweep = "configs/sweeps/compression.yaml", experiment = "configs/experiments/demo.yaml";
    EXPECT_THAT(refusal("run " + sweep), HasSubstr("use oscar-sim sweep " + sweep));
    EXPECT_THAT(refusal("traffic " + sweep), HasSubstr("use oscar-sim sweep " + sweep));
    EXPECT_THAT(refusal("sweep " + experiment), HasSubstr("use oscar-sim run " + experiment));
    EXPECT_THAT(refusal("predict " + experiment), HasSubstr("use oscar-sim run " + experiment));
    EXPECT_THAT(refusal("run configs/traffic/mesh4-tornado.yaml"),
                HasSubstr("use oscar-sim traffic configs/traffic/mesh4"));
    EXPECT_THAT(refusal("run configs/validation/a100.yaml"),
                HasSubstr("use oscar-sim predict configs/validation/a100.yaml"));
    EXPECT_THAT(refusal("run configs/training/lenet-fmnist.yaml"),
                HasSubstr("use scripts/train configs/training/lenet"));
}

TEST(CommandLine, RefusesAPipeOrDeviceForAFileAndDoesNotWait) {
    const Folder folder;
    const std::string pipe = (folder / "pipe.yaml").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const char* command : {"run ", "sweep ", "traffic ", "predict "}) {
        EXPECT_THAT(refusal(command + pipe), HasSubstr("pipe.yaml: is a pipe or a device; name a YAML file"));
        EXPECT_THAT(refusal(command + std::string("/dev/zero")), HasSubstr("/dev/zero: is a pipe or a device"));
    }
    std::filesystem::create_directory(folder / "trace");
    ASSERT_EQ(::mkfifo((folder / "trace/trace.yaml").c_str(), 0600), 0);
    EXPECT_THAT(refusal("trace info " + (folder / "trace").string()), HasSubstr("trace.yaml: is a pipe or a device"));
}

TEST(CommandLine, RefusesNamesThatLeadOutOfTheResults) {
    const Folder folder;
    const auto results = [&] { return std::filesystem::exists(folder / "../oscar-escaped"); };
    EXPECT_THAT(refusal("run configs/experiments/synthetic.yaml --set experiment=../../../../../../tmp/oscar-escaped"),
                HasSubstr("experiment: '../../../../../../tmp/oscar-escaped' cannot name a folder within the results"));
    EXPECT_THAT(refusal("traffic configs/traffic/mesh4-tornado.yaml --set experiment=a/b"),
                HasSubstr("experiment: 'a/b'"));
    EXPECT_THAT(refusal("predict configs/validation/a100.yaml --set prediction=.."), HasSubstr("prediction: '..'"));
    EXPECT_FALSE(results());
}

TEST(CommandLine, RefusesTextThatIsNotUtf8) {
    EXPECT_THAT(refusal("run configs/experiments/synthetic.yaml --set experiment=$(printf 'a\\377')"),
                HasSubstr("--set experiment=a\\xff: experiment: is not UTF-8"));
    const Folder folder;
    const std::string name = (folder / "caf\xe9.yaml").string();   // the name of the file is that of the results
    std::filesystem::copy("configs/experiments/synthetic.yaml", name);
    EXPECT_THAT(refusal("run '" + name + "' -o " + (folder / "out").string()),
                HasSubstr("experiment: 'caf\\xe9' cannot name a folder"));
}

}   // namespace
}   // namespace oscar::command_line_test
