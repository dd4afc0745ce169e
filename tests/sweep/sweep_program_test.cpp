// `oscar-sim sweep`, as a user runs it.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "tests/sweep/support.hpp"
#include "tests/system/program.hpp"

namespace oscar::sweep_program_test {
namespace {

using test::oscar_sim;
using test::select;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string grid = "[{key: ranks, values: [2, 4]}, {key: network.link.bandwidth, values: [10Gbps, 40Gbps]}]";
/// The second point damages 99 of 100 packets and repeats them until nothing new has come for network.stall.
const std::string livelock =
    "[{zip: [{key: network.loss.rate, values: [0, 0.99, 0.001]}, {key: network.reliability, values: [none, go_back_n, "
    "go_back_n]}, {key: network.stall, values: [100ms, 1ms, 100ms]}]}]";

struct Sweep : test::SweepLaboratory {
    std::string out = (folder.path() / "out").string();
    std::filesystem::path database = folder.path() / "out/points.sqlite";

    test::Finished run(const std::string& axes, const std::string& arguments = "", const std::string& more = "") const {
        return oscar_sim("sweep " + sweep(axes, more).string() + " -o " + out + " " + arguments);
    }
    std::string csv(const std::string& name) const { return test::text_of(std::filesystem::path(out) / name); }
};

TEST(SweepProgram, ComputesEveryPointAndWritesDatabaseAndTables) {
    const Sweep s;
    const auto run = s.run(grid, "-j 2");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("4 points: 4 done, 0 failed, 0 pending; 4 computed now\n"));
    EXPECT_THAT(run.output, Not(HasSubstr("point 1 (")));   // no line for each point
    EXPECT_THAT(select(s.database, "SELECT ranks, \"network.link.bandwidth\", status FROM points"),
                ElementsAre("2|10Gbps|done", "2|40Gbps|done", "4|10Gbps|done", "4|40Gbps|done"));
    EXPECT_THAT(select(s.database, "SELECT min(sums_match_reference), count(*) FROM methods"), ElementsAre("1|8"));
    const std::string points = s.csv("points.csv"), methods = s.csv("methods.csv");
    EXPECT_EQ(std::count(points.begin(), points.end(), '\n'), 1 + 4);
    EXPECT_EQ(std::count(methods.begin(), methods.end(), '\n'), 1 + 8);
    EXPECT_THAT(points,
                AllOf(HasSubstr("position,key,ranks,network.link.bandwidth,status"), HasSubstr("asc.allreduce_ps")));
}

TEST(SweepProgram, TellsWhereEachMethodGainsMost) {
    const Sweep s;
    const auto run = s.run(grid);
    EXPECT_THAT(run.output, HasSubstr("\nWhere each method gains most over fp32:\n"));
    const auto best = select(s.database,
                             "SELECT printf('%.3f', \"speedup.fp32\"), printf('%.3f', allreduce_ps / 1e6), "
                             "printf('%.2e', relative_l2_error), bottleneck, "
                             "position, 'ranks=' || ranks || ' network.link.bandwidth=' || \"network.link.bandwidth\" "
                             "FROM methods WHERE method = 'asc' ORDER BY \"speedup.fp32\" DESC LIMIT 1");
    std::vector<std::string> figures;
    std::istringstream columns(best.at(0));
    for (std::string figure; std::getline(columns, figure, '|');) figures.push_back(figure);
    EXPECT_THAT(run.output, ContainsRegex("\nasc +" + figures[0] + " +" + figures[1] + " +" + figures[2] + " +" +
                                          figures[3] + " +" + figures[4] + "\n"));
    EXPECT_THAT(run.output, HasSubstr("\npoint " + figures[4] + ": " + figures[5] + "\n"));
}

TEST(SweepProgram, PrintsNothingIfQuiet) {
    const Sweep s;
    const auto run = s.run(grid, "-q");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(std::filesystem::exists(s.database));
}

/// 4 bits are faster and lose more than 8.
const std::string bits =
    "[{key: quantiser.bits, values: [4, 8]}, {key: network.link.propagation, values: [500ns, 1us]}]";

/// A link so slow that the bytes decide.
const std::string slow = "set: {network.link.bandwidth: 100Mbps}";

TEST(SweepProgram, NamesTheErrorOfWhatIsFastestAndRanksWithinALimit) {
    const Sweep s;
    const auto run = s.run(bits, "", slow);
    ASSERT_EQ(run.status, 0) << run.output;
    const auto errors = select(s.database,
                               "SELECT printf('%.2e', relative_l2_error), printf('%.3f', (min(relative_l2_error) OVER "
                               "() + max(relative_l2_error) OVER ()) / 2) FROM methods WHERE method = 'asc' ORDER BY "
                               "position");
    const std::string of_4_bits = errors.at(0).substr(0, errors[0].find('|'));
    const std::string of_8_bits = errors.at(2).substr(0, errors[2].find('|'));
    const std::string between = errors.at(0).substr(errors[0].find('|') + 1);
    EXPECT_THAT(run.output, ContainsRegex("\nasc .* " + of_4_bits + " .*\nasc .* " + of_8_bits + " "));
    EXPECT_THAT(run.output, HasSubstr("NOTE: asc at point 0 has an L2 error of " + of_4_bits));
    const auto limited = s.run(bits, "--best allreduce_ps --where 'relative_l2_error<" + between + "'", slow);
    EXPECT_THAT(limited.output, AllOf(HasSubstr("with relative_l2_error < "), ContainsRegex("\n2 +asc "),
                                      Not(ContainsRegex("\n[01] +asc ")), Not(HasSubstr("NOTE"))));
    EXPECT_THAT(s.run(bits, "--best allreduce_ps", slow).output,
                AllOf(ContainsRegex("\npoint +method +allreduce_ps +L2 error"), HasSubstr("NOTE: asc at point 0")));
    const auto front = s.run(bits, "--best allreduce_ps,relative_l2_error", slow);
    EXPECT_THAT(front.output, AllOf(HasSubstr(", without fp32:"), Not(ContainsRegex("\n[0-9]+ +fp32 "))));
    EXPECT_THAT(s.run(bits, "--where relative_l2_eror=0", slow).output,
                HasSubstr("--where relative_l2_eror: no such figure of a method (did you mean relative_l2_error?)"));
}

TEST(SweepProgram, ListsItsPointsWithoutComputingOrWritingAnything) {
    const Sweep s;
    const auto before = s.run(grid, "--dry-run");
    EXPECT_EQ(before.status, 0);
    EXPECT_THAT(before.output, AllOf(HasSubstr("    2  pending  ranks=4 network.link.bandwidth=10Gbps\n"),
                                     HasSubstr("4 points: 0 done, 0 failed, 4 pending; 0 computed now\n")));
    EXPECT_FALSE(std::filesystem::exists(s.out));
    ASSERT_EQ(s.run("[{key: ranks, values: [2, 4]}, {key: network.link.bandwidth, values: [10Gbps]}]").status, 0);
    const std::string points = s.csv("points.csv");
    const auto after = s.run(grid, "--dry-run");
    EXPECT_THAT(after.output, AllOf(HasSubstr("    2  done     ranks=4 network.link.bandwidth=10Gbps\n"),
                                    HasSubstr("4 points: 2 done, 0 failed, 2 pending; 0 computed now\n")));
    EXPECT_THAT(select(s.database, "SELECT count(*) FROM plan"), ElementsAre("2")) << "the plan is as it was";
    EXPECT_EQ(s.csv("points.csv"), points);
    EXPECT_EQ(s.run("[{key: ranks, values: [2, 1]}]", "--dry-run").status, 2);
}

TEST(SweepProgram, GivesEachPointTheReportOfARunOfItsOwn) {
    const Sweep s;
    ASSERT_EQ(s.run(grid).status, 0);
    const std::string alone = (s.folder.path() / "alone").string();
    ASSERT_EQ(oscar_sim("run " + (s.folder.path() / "base.yaml").string() +
                        " --set ranks=4 --set network.link.bandwidth=10Gbps -o " + alone)
                  .status,
              0);
    auto expected = test::report_in(alone);
    expected.erase("host");
    const auto stored = select(s.database, "SELECT report FROM points JOIN results USING (key) WHERE position = 2");
    EXPECT_EQ(stored.at(0), expected.dump());
}

TEST(SweepProgram, ComputesNothingTwice) {
    const Sweep s;
    ASSERT_EQ(s.run(grid).status, 0);
    const std::string points = s.csv("points.csv"), methods = s.csv("methods.csv");
    const auto again = s.run(grid);
    EXPECT_EQ(again.status, 0);
    EXPECT_THAT(again.output, HasSubstr("4 done, 0 failed, 0 pending; 0 computed now"));
    EXPECT_EQ(s.csv("points.csv"), points);
    EXPECT_EQ(s.csv("methods.csv"), methods);
    EXPECT_THAT(select(s.database, "SELECT count(*) FROM computations"), ElementsAre("4"));
}

TEST(SweepProgram, ComputesOnlyWhatAGrownAxisAddsAndAfterAChangedTraceEverything) {
    const Sweep s;
    ASSERT_EQ(s.run("[{key: ranks, values: [2, 4]}]").status, 0);
    EXPECT_THAT(s.run("[{key: ranks, values: [2, 3, 4]}]").output,
                HasSubstr("3 done, 0 failed, 0 pending; 1 computed"));
    test::write_trace(s.folder, "captured", test::random_capture(4, 4, 601));
    EXPECT_THAT(s.run("[{key: ranks, values: [2, 3, 4]}]").output,
                HasSubstr("3 done, 0 failed, 0 pending; 3 computed"));
}

TEST(SweepProgram, DoesNotDependOnTheNumberOfProcesses) {
    const Sweep one, three;
    ASSERT_EQ(one.run(grid, "-j 1").status, 0);
    ASSERT_EQ(three.run(grid, "-j 3").status, 0);
    EXPECT_EQ(one.csv("points.csv"), three.csv("points.csv"));
    EXPECT_EQ(one.csv("methods.csv"), three.csv("methods.csv"));
}

TEST(SweepProgram, RecordsAPointThatFailsAndComputesTheRest) {
    const Sweep s;
    const auto run = s.run(livelock);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(
        run.output,
        AllOf(HasSubstr("point 1 (network.loss.rate=0.99 network.reliability=go_back_n network.stall=1ms) failed: "),
              HasSubstr("3 points: 2 done, 1 failed, 0 pending; 3 computed now")));
    EXPECT_THAT(select(s.database, "SELECT status, exit_status FROM points"),
                ElementsAre("done|0", "failed|3", "done|0"));
    EXPECT_THAT(select(s.database, "SELECT error FROM points WHERE status = 'failed'"),
                ElementsAre(AllOf(HasSubstr("livelock: flow rank"), HasSubstr("network.stall: 1ms"),
                                  HasSubstr("rank0->rank1: "))));
    EXPECT_THAT(s.csv("points.csv"), HasSubstr(",failed,3,\""));
}

TEST(SweepProgram, TriesAFailedPointAgainOnlyWhenAskedTo) {
    const Sweep s;
    ASSERT_EQ(s.run(livelock).status, 1);
    const auto again = s.run(livelock);
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.output, HasSubstr("1 failed, 0 pending; 0 computed now"));
    EXPECT_THAT(s.run(livelock, "--retry-failed").output, HasSubstr("1 failed, 0 pending; 1 computed now"));
}

TEST(SweepProgram, RecordsABrokenArrayAsTheErrorOfItsPoints) {
    const Sweep s;
    s.folder.write("captured/array-3.npy", testing::npy_file(4, 600, std::vector<float>(2400, 1.f / 0.f)));
    const auto run = s.run("[{key: iterations.first, values: [1, 3]}]");
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(select(s.database, "SELECT status, exit_status FROM points"), ElementsAre("done|0", "failed|2"));
    EXPECT_THAT(select(s.database, "SELECT error FROM points WHERE position = 1"),
                ElementsAre(HasSubstr("array-3.npy")));
}

TEST(SweepProgram, WritesNothingWhenAPointIsWrong) {
    const Sweep s;
    const auto run = s.run("[{key: ranks, values: [2, 4]}, {key: engine.lanes, values: [64, 0]}]");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, AllOf(HasSubstr("sweep.yaml:2:71: engine.lanes: 0 is out of range"),
                                  HasSubstr("(point 1: ranks=2 engine.lanes=0)")));
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    EXPECT_FALSE(std::filesystem::exists(s.out));
}

TEST(SweepProgram, KeepsEarlierResultsWhenTheSweepBecomesWrong) {
    const Sweep s;
    ASSERT_EQ(s.run("[{key: ranks, values: [2, 4]}]").status, 0);
    const std::string before = s.csv("points.csv");
    EXPECT_EQ(s.run("[{key: ranks, values: [2, 1]}]").status, 2);
    EXPECT_EQ(s.csv("points.csv"), before);
    EXPECT_THAT(select(s.database, "SELECT ranks FROM points"), ElementsAre("2", "4"));
}

TEST(SweepProgram, RefusesNoProcessesAFileInTheWayAndAForeignDatabase) {
    const Sweep s;
    const auto refuses = [&](const std::string& arguments, const std::string& expected) {
        const auto run = s.run(grid, arguments);
        EXPECT_EQ(run.status, 2) << run.output;
        EXPECT_THAT(run.output, HasSubstr(expected));
        EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    };
    refuses("-j 0", "--jobs: '0' is no whole number from 1 to 4096");
    std::ofstream(s.out) << "in the way";
    refuses("", "out: cannot be written (Not a directory); choose another folder with -o DIR");
    std::filesystem::remove(s.out);
    std::filesystem::create_directory(s.out);
    std::ofstream(s.database) << std::string(5000, 'x');
    refuses("",
            "points.sqlite: is damaged or no database (file is not a database); move it away, and the sweep computes "
            "its points anew, or choose another folder with -o DIR");
    EXPECT_EQ(oscar_sim("sweep " + (s.folder.path() / "none.yaml").string()).status, 2);
    EXPECT_EQ(oscar_sim("sweep").status, 2);
}

TEST(SweepProgram, ChecksEverySweepThatIsShipped) {
    for (const auto& file : std::filesystem::directory_iterator("configs/sweeps"))
        EXPECT_GT(plan_sweep(file.path()).points.size(), 1u) << file.path();
}

}   // namespace
}   // namespace oscar::sweep_program_test
