// The results of a sweep, read from its folder.
#include "sim/sweep/sweep_results.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "sim/sweep/database.hpp"
#include "tests/sweep/support.hpp"

namespace oscar::sweep_results_test {
namespace {

using test::SweepLaboratory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A report of fp32 and asc as far as the database reads it.
std::string report_of(std::int64_t ps) {
    Report report;
    for (const char* name : {"fp32", "asc"}) {
        MethodReport& method = report.methods.emplace_back();
        method.name = name;
        method.allreduce_ps = ps;
    }
    add_speedups(report.methods);
    return to_json(report).dump();
}

class Results : public ::testing::Test {
protected:
    Results() : plan(laboratory.plan("[{key: ranks, values: [2, 4]}, {key: seed, values: [1, 2]}]")) {
        Database database(folder / "points.sqlite");
        database.set_plan(plan);
        database.record(plan.points[0].key, "p", {0, "", report_of(100), 1});
        database.record(plan.points[2].key, "p", {3, "stuck", "", 1});
    }
    SweepLaboratory laboratory;
    SweepPlan plan;
    std::filesystem::path folder = laboratory.folder.path();
};

TEST_F(Results, TellKeysMethodsFiguresAndHowFarTheSweepIs) {
    const SweepResults results = read_sweep(folder);
    EXPECT_THAT(results.keys, ElementsAre("ranks", "seed"));
    EXPECT_THAT(results.methods, ElementsAre("fp32", "asc"));
    EXPECT_EQ(results.program, "p");
    EXPECT_EQ(results.done, 1u);
    EXPECT_EQ(results.failed, 1u);
    EXPECT_EQ(results.pending, 2u);
    EXPECT_EQ(results.figures.rows.size(), 2u);   // of one point
    ASSERT_EQ(results.failures.rows.size(), 1u);
    EXPECT_EQ(std::get<std::string>(results.failures.rows[0][1]), "stuck");
}

TEST_F(Results, OfASweepBeforeItsFirstPointHaveNoFigures) {
    std::filesystem::remove(folder / "points.sqlite");
    Database(folder / "points.sqlite").set_plan(plan);
    const SweepResults results = read_sweep(folder);
    EXPECT_THAT(results.keys, ElementsAre("ranks", "seed"));
    EXPECT_TRUE(results.figures.rows.empty());
    EXPECT_EQ(results.pending, 4u);
}

TEST_F(Results, OfNoDatabaseAreRefused) {
    const auto error = [&] { return testing::error_of<InputError>(laboratory.folder, [&] { read_sweep(folder); }); };
    std::filesystem::remove(folder / "points.sqlite");
    EXPECT_THAT(error(), HasSubstr("points.sqlite"));
    EXPECT_FALSE(std::filesystem::exists(folder / "points.sqlite"));   // nor is one made
    laboratory.folder.write("points.sqlite", std::string(5000, 'x'));
    EXPECT_THAT(error(), HasSubstr("damaged or no database"));
    std::filesystem::remove(folder / "points.sqlite");
    SQLite::Database(folder / "points.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)");
    EXPECT_THAT(error(), HasSubstr("another program"));
}

}   // namespace
}   // namespace oscar::sweep_results_test
