// A sweep that is killed, interrupted or started twice, against an undisturbed one.
#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include "tests/sweep/running.hpp"
#include "tests/sweep/support.hpp"
#include "tests/system/program.hpp"

namespace oscar::interruption_test {
namespace {

using test::eventually;
using test::RunningSweep;
using test::select;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int points = 24, many_points = 200;
/// Points of some 10 ms, half of which end in a livelock.
std::string axes_of(int count) {
    return "[{key: seed, range: {from: 1, to: " + std::to_string(count / 2) +
           ", step: 1}}, {zip: [{key: start_jitter, values: [1us, 2us]}, {key: "
           "network.loss.rate, values: [0, 0.99]}, {key: network.reliability, values: [none, go_back_n]}, {key: "
           "network.stall, "
           "values: [100ms, 1ms]}]}]";
}

struct Laboratory : test::SweepLaboratory {
    explicit Laboratory(int count = points) : file(sweep(axes_of(count)).string()) {}
    std::string file, output = (folder.path() / "output").string();
    std::string out(const std::string& name) const { return (folder.path() / name).string(); }
    std::size_t results(const std::string& name) const {
        return select(out(name) + "/points.sqlite", "SELECT key FROM computations").size();
    }
    /// Whether the running sweep in the folder `out` has so many results.
    bool has_computed(std::size_t least) const try {
        return results("out") >= least;
    } catch (const SQLite::Exception&) {   // no database, or no table in it yet
        return false;
    }
};

void expect_equal_databases(const std::string& a, const std::string& b) {
    for (const char* table : {"plan", "results", "metrics", "points", "methods", "sqlite_master"}) {
        const std::string all = std::string("SELECT ") +
                                (std::string(table) == "sqlite_master" ? "type, name, sql" : "*") + " FROM " + table;
        EXPECT_EQ(select(a + "/points.sqlite", all), select(b + "/points.sqlite", all)) << table;
    }
    for (const char* table : {"/points.csv", "/methods.csv"})
        EXPECT_EQ(test::text_of(a + table), test::text_of(b + table)) << table;
}

TEST(InterruptedSweep, KilledAtRandomMomentsEndsInTheDatabaseOfAnUndisturbedOne) {
    const Laboratory laboratory;
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(test::oscar_sim("sweep " + laboratory.file + " -j 2 -o " + laboratory.out("undisturbed")).status, 1);
    const auto duration =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    // Eight kills within a sixth of that each: however fast the machine, the first comes before the sweep is done.
    const auto longest = static_cast<std::uint64_t>(duration.count() / 6 + 1);
    const std::uint64_t seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::size_t disturbed = 0;
    for (int attempt = 0; attempt < 8; ++attempt) {
        RunningSweep sweep(laboratory.file, laboratory.out("killed"), laboratory.output);
        test::sleep_ms(static_cast<std::int64_t>(random() % longest));
        sweep.signal(SIGKILL);
        disturbed += sweep.wait() == 128 + SIGKILL;
    }
    EXPECT_GT(disturbed, 0u);   // or nothing was tested
    RunningSweep last(laboratory.file, laboratory.out("killed"), laboratory.output);
    EXPECT_EQ(last.wait(), 1);
    expect_equal_databases(laboratory.out("killed"), laboratory.out("undisturbed"));
    EXPECT_EQ(laboratory.results("killed"), std::size_t{points});   // each point computed once
}

/// Points enough that some are pending when the signal comes, however late on a loaded machine.
TEST(InterruptedSweep, EndsUponCtrlCWithStatus130AndATableOfWhatIsDone) {
    const Laboratory laboratory(many_points);
    RunningSweep sweep(laboratory.file, laboratory.out("out"), laboratory.output);
    ASSERT_TRUE(eventually([&] { return laboratory.has_computed(4); }));   // every other one ends in a livelock
    sweep.signal(SIGINT);
    EXPECT_EQ(sweep.wait(), 130);
    EXPECT_THAT(test::text_of(laboratory.output), HasSubstr("interrupted; the same command computes what is pending"));
    EXPECT_THAT(test::text_of(laboratory.out("out") + "/points.csv"),
                AllOf(HasSubstr(",done,0,"), HasSubstr("pending")));
    EXPECT_EQ(test::oscar_sim("sweep " + laboratory.file + " -o " + laboratory.out("out")).status, 1);
    EXPECT_EQ(laboratory.results("out"), std::size_t{many_points});
}

TEST(InterruptedSweep, KeepsASecondSweepOutOfItsFolder) {
    const Laboratory laboratory;
    RunningSweep sweep(laboratory.file, laboratory.out("out"), laboratory.output);
    ASSERT_TRUE(eventually([&] { return laboratory.has_computed(1); }));
    sweep.signal(SIGSTOP);   // so that it does not end before the second one starts
    const auto second = test::oscar_sim("sweep " + laboratory.file + " -o " + laboratory.out("out"));
    sweep.signal(SIGCONT);
    EXPECT_EQ(second.status, 2);
    EXPECT_THAT(second.output, HasSubstr("runs a sweep there; wait for it; choose another folder with -o DIR"));
    EXPECT_EQ(sweep.wait(), 1);
    EXPECT_EQ(laboratory.results("out"), std::size_t{points});
}

}   // namespace
}   // namespace oscar::interruption_test
