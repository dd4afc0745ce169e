// collective: {kind: schedule}, with the steps of a file of MSCCL, on the simulated machine.
#include <gmock/gmock.h>
#include "sim/config/load.hpp"
#include "sim/parameters/echo_parameters.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/own_process.hpp"
#include "tests/schedules/goal_text.hpp"
#include "tests/schedules/msccl_text.hpp"

namespace oscar::schedule_file_test {
namespace {

using ::testing::HasSubstr;

/// An experiment beside ring.xml, of 4 GPUs.
struct File {
    explicit File(const std::string& collective, const std::string& rest = "ranks: 4\n")
        : path(folder.write("exp.yaml", "payload: synthetic\nsize: 1MiB\nmethods: [fp32]\ngpu: {kernels: slice}\n" +
                                            rest + "collective: " + collective + "\n")) {
        folder.write("ring.xml", test::ring_text(4));
        folder.write("pairs.xml", test::all_pairs_text(4));
        folder.write("broken.xml", "<algo");
    }
    Experiment load() const { return load_experiment(path, {}); }
    /// Of the AllReduce.
    std::string time() const {
        return test::in_own_process(
            [this] { return std::to_string(run(load(), test::ignore).methods[0].allreduce_ps); });
    }
    std::string error() const {
        return testing::error_of<ConfigError>(folder, [&] { load(); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

TEST(ScheduleFile, TakesTheTimeOfTheCollectiveThatItDescribes) {
    for (const std::string issue : {"lock_step", "dependency"}) {
        const std::string rest = ", issue: " + issue + ", slices: 2}";
        EXPECT_EQ(File("{kind: schedule, file: ring.xml" + rest).time(), File("{kind: ring" + rest).time()) << issue;
        EXPECT_EQ(File("{kind: schedule, file: pairs.xml" + rest).time(), File("{kind: direct" + rest).time()) << issue;
    }
}

/// The messages of a file of GOAL are flows: each rank passes a token on when it has come.
TEST(ScheduleFile, OfGoalTakesTheTimeOfItsFlows) {
    struct Goal {
        explicit Goal(const std::string& collective)
            : path(folder.write("exp.yaml",
                                "payload: synthetic\nmethods: [fp32]\nranks: 4\ncollective: " + collective + "\n")) {
            folder.write("token.goal",
                         "num_ranks 4\nrank 0 {\na: send 4096b to 1\n}\nrank 1 {\na: recv 4096b from 0\nb: send "
                         "4096b to 2\nb requires a\n}\nrank 2 {\na: recv 4096b from 1\n}\nrank 3 {\n}\n");
            folder.write("broken.goal", "num_ranks 4\nrank 0 {\na: send 8b to 1\n}\n");
            folder.write("two.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\nb: recv 8b from 0\n}\n");
        }
        std::string report() const {
            return test::in_own_process(
                [this] { return to_json(run(load_experiment(path, {}), test::ignore))["methods"].dump(); });
        }
        std::string error() const {
            return testing::error_of<ConfigError>(folder, [&] { load_experiment(path, {}); });
        }
        testing::TemporaryFolder folder;
        std::filesystem::path path;
    };
    const std::string of_file = Goal("{kind: schedule, file: token.goal}").report();
    EXPECT_EQ(of_file, Goal("{kind: flows, issue: dependency, flows: [{from: 0, to: 1, bytes: 4KiB}, {from: 1, to: 2, "
                            "bytes: 4KiB, after: [0]}]}")
                           .report());
    EXPECT_THAT(of_file, HasSubstr("\"end_ps\""));
    EXPECT_THAT(Goal("{kind: schedule, file: broken.goal}").error(),
                HasSubstr("broken.goal: line 3: rank 1 has no receive"));
    EXPECT_THAT(Goal("{kind: schedule, file: two.goal}").error(),
                HasSubstr("two.goal is for 2 ranks, and ranks is 4; write ranks: 2"));
    EXPECT_THAT(Goal("{kind: schedule, file: none.goal}").error(), HasSubstr("there is no file none.goal"));
}

TEST(ScheduleFile, IsEchoedByItsNameAndAListByItsSteps) {
    const auto echo_of = [](const std::string& collective) {
        return resolved(File(collective).load().parameters).at("collective");
    };
    const auto file = echo_of("{kind: schedule, file: ring.xml}");
    EXPECT_EQ(file.at("file"), "ring.xml");
    EXPECT_EQ(file.at("operation"), "all_reduce");
    EXPECT_FALSE(file.contains("steps"));
    const auto list = echo_of(
        "{kind: schedule, operation: broadcast, steps: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 1, to: 3}]}");
    EXPECT_EQ(list.at("steps").size(), 3u);
    EXPECT_FALSE(list.contains("file"));
}

TEST(ScheduleFile, ThatDoesNotFitIsAnsweredWithPlaceAndRemedy) {
    EXPECT_THAT(File("{kind: schedule, file: none.xml}").error(),
                HasSubstr("collective.file: there is no file none.xml beside"));
    EXPECT_THAT(File("{kind: schedule, file: broken.xml}").error(), HasSubstr("broken.xml: line 1: is no XML"));
    EXPECT_THAT(File("{kind: schedule, file: ring.xml}", "ranks: 8\n").error(),
                HasSubstr("ring.xml is for 4 GPUs, and ranks is 8; write ranks: 4"));
    EXPECT_THAT(File("{kind: schedule, file: ring.xml, steps: [{from: 0, to: 1}]}").error(),
                HasSubstr("there is a list of steps, too; leave out file or steps"));
    const File unfinished("{kind: schedule, steps: [{from: 0, to: 1}]}");   // which is found with the network
    EXPECT_THAT(testing::error_of<ConfigError>(unfinished.folder, [&] { run(unfinished.load(), test::ignore); }),
                HasSubstr("collective: its steps do not perform all_reduce: "));
}

TEST(ScheduleFile, OfAJobIsRefused) {
    const File file("{kind: ring}",
                    "ranks: 4\njobs: [{ranks: [0-3], size: 1MiB, collective: {kind: schedule, file: ring.xml}}]\n");
    EXPECT_THAT(file.error(), HasSubstr("a job has no file of its own; write its steps as a list"));
}

}   // namespace
}   // namespace oscar::schedule_file_test
