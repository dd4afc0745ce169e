// collective: {kind: schedule}, with the steps of a file of MSCCL, on the simulated machine.
#include <gmock/gmock.h>
#include "sim/config/load.hpp"
#include "sim/parameters/echo_parameters.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/own_process.hpp"
#include "tests/schedules/goal_text.hpp"
#include "tests/schedules/msccl_program.hpp"

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

/// On links of 100 Gbit/s, 1.25 MB take 100 us, the two links and the NICs less than 5 us.
TEST(ScheduleFile, OfGoalRelaysWhenItsOperationsMay) {
    const auto end = [](const std::string& between) {
        const testing::TemporaryFolder folder;
        folder.write("relay.goal",
                     "num_ranks 3\nrank 0 {\na: send 1250000b to 1\n}\nrank 1 {\nin: recv 1250000b from 0\nout: send "
                     "1250000b to 2\n" +
                         between + "}\nrank 2 {\nb: recv 1250000b from 1\n}\n");
        const auto path = folder.write("exp.yaml",
                                       "payload: synthetic\nmethods: [fp32]\nranks: 3\nnetwork: {link: {bandwidth: "
                                       "100Gbps}}\ncollective: {kind: schedule, file: relay.goal}\n");
        return std::stod(test::in_own_process([&] {
                   return std::to_string(run(load_experiment(path, {}), test::ignore).methods[0].allreduce_ps);
               })) /
               1e6;
    };
    const double both = end("out irequires in\n"), after = end("out requires in\n");
    EXPECT_GT(both, 100);
    EXPECT_LT(both, 110);
    EXPECT_NEAR(after, 2 * both, 3);
    EXPECT_NEAR(end("c: calc 10000\nc requires in\nout requires c\n"), after + 10, 0.5);
    EXPECT_NEAR(end("c: calc 10000\nout requires c\n"), both + 10, 0.5);
    // Here it ends last: 10 us after the first link alone.
    EXPECT_NEAR(end("c: calc 10000\nc requires in\n"), after / 2 + 10, 0.5);
}

/// All of each rank's values go at once: 1 MiB at 400 Gbit/s takes 20.97 us, a ring's halves as long one after the
/// other, with twice the latencies.
TEST(ScheduleFile, OfOneShotSendsAllAtOnce) {
    const auto report = [](const std::string& collective) {
        const testing::TemporaryFolder folder;
        folder.write("pair.xml", test::program_text(2, 1, test::one_shot(2, 0, 0)));
        const auto path = folder.write(
            "exp.yaml",
            "payload: synthetic\nsize: 1MiB\nmethods: [fp32]\nranks: 2\ngpu: {dma_latency: 0ps, dma_bandwidth: "
            "100000Gbps}\nnetwork: {link: "
            "{bandwidth: 400Gbps}}\ncollective: " +
                collective + "\n");
        return nlohmann::json::parse(
            test::in_own_process([&] { return to_json(run(load_experiment(path, {}), test::ignore)).dump(); }));
    };
    const auto once = report("{kind: schedule, file: pair.xml}"), ring = report("{kind: ring}");
    const auto time = [](const auto& of) { return of["methods"][0]["allreduce_ps"].template get<double>() / 1e6; };
    EXPECT_GT(time(once), 20.97);
    EXPECT_LT(time(once), 23.5);
    EXPECT_LT(time(once), time(ring));
    EXPECT_THAT(once["notes"].dump(), HasSubstr("pair.xml says proto LL, which has no effect"));
}

/// Values of a trace, coded and not, under programs whose places change after they were sent.
TEST(ScheduleFile, OfMscclAddsRealValues) {
    for (std::uint64_t seed = 0, done = 0; done < 6; ++seed) {
        const auto [gpus, text] = test::random_program(seed);
        if (gpus != 4) continue;
        const std::string outcome = test::in_own_process([&text = text, seed] {
            const test::Laboratory lab(
                "ranks: 4\nmethods: [fp32, {name: a, kind: asc}, {name: b, kind: "
                "fixed_point}]\niterations: {first: 1, count: 2}\ncollective: {kind: schedule, file: p.xml, issue: " +
                std::string(seed % 2 ? "lock_step" : "dependency") + "}\n");
            lab.folder.write("p.xml", text);
            std::string all;
            for (const MethodReport& method : lab.run().methods) all += method.sums_match_reference == true ? "y" : "n";
            return all;
        });
        EXPECT_EQ(outcome, "yyy") << "seed " << seed;
        ++done;
    }
}

/// What needs one sum of a chunk is refused where there are several.
TEST(ScheduleFile, OfSeveralSumsHasNoMeasuredChunksAndNoDeltas) {
    const auto error_of = [](const std::string& more) {
        return test::in_own_process([&] {
            const test::Laboratory lab(
                "ranks: 2\nmethods: [{name: a, kind: asc, " + more + "}]\ncollective: {kind: schedule, file: p.xml}\n",
                test::random_capture(4, 2, 600));
            lab.folder.write("p.xml", test::program_text(2, 1, test::one_shot(2, 0, 0)));
            return lab.error();
        });
    };
    EXPECT_THAT(error_of("chunks: {kind: measured}"), HasSubstr("ranks hold several sums of a chunk in scratch"));
    EXPECT_THAT(error_of("delta_gather: true"), HasSubstr("ranks hold several of a chunk in scratch; leave out"));
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
