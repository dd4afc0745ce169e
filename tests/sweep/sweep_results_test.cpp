// The results of a sweep, read from its folder.
#include "sim/sweep/sweep_results.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <tuple>

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

struct Alteration {
    const char* sql;
    const char* refusal;
};

/// Each is made on a fresh copy of a good database, by someone who may write its schema.
constexpr Alteration alterations[]{
    {"DROP VIEW methods", "is not as a sweep writes it (no such table: methods)"},
    {"DROP TABLE metrics", "is not as a sweep writes it (no such table: metrics)"},
    {"DROP VIEW methods; CREATE VIEW methods AS SELECT 1", "has no view `methods` as a sweep writes it"},
    {"DROP VIEW methods; CREATE VIEW methods AS WITH RECURSIVE c(position) AS (SELECT 1 UNION ALL SELECT position + 1 "
     "FROM c) SELECT position, 'k' AS key, 'fp32' AS method FROM c",
     "has a view with more rows than its tables"},
    {"DROP VIEW methods; CREATE VIEW methods AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT "
     "1 AS position, 'k' AS key, count(*) AS method FROM c",
     "is not as a sweep writes it (interrupted)"},
    // Long texts are no reason to run a view for longer: with steps by bytes this one took half a minute.
    {"UPDATE results SET report = hex(zeroblob(20000000)); DROP VIEW points; CREATE VIEW points AS WITH RECURSIVE c(n) "
     "AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT 1 AS position, 'k' AS key, '' AS status, '' AS error FROM c",
     "is not as a sweep writes it (interrupted)"},
    {"DROP VIEW methods; CREATE VIEW methods AS SELECT position, key, load_extension('x') AS method FROM plan",
     "is not as a sweep writes it (unsafe use of load_extension()"},
    {"UPDATE metrics SET method = NULL", "has figures of a method without a name"},
    {"UPDATE metrics SET value = CAST(x'c328' AS TEXT) WHERE metric = 'bottleneck'",
     "has a text in column bottleneck that is no UTF-8, or holds control characters"},
    {"UPDATE results SET error = char(27) || '[2J' WHERE status = 'failed'", "has a text in column error"},
    {"PRAGMA user_version = 7", "has schema 7, this program writes schema 1"},
};

TEST_F(Results, OfAnAlteredDatabaseAreRefusedInWords) {
    const std::filesystem::path file = folder / "points.sqlite", good = folder / "good.sqlite";
    std::filesystem::rename(file, good);
    for (const auto& [sql, refusal] : alterations) {
        std::filesystem::copy_file(good, file, std::filesystem::copy_options::overwrite_existing);
        SQLite::Database(file, SQLite::OPEN_READWRITE).exec(sql);
        EXPECT_THAT(testing::error_of<InputError>(laboratory.folder, [&] { read_sweep(folder); }), HasSubstr(refusal))
            << sql;
    }
}

TEST_F(Results, OfAPipeAreRefusedAndNotWaitedFor) {
    std::filesystem::remove(folder / "points.sqlite");
    ASSERT_EQ(::mkfifo((folder / "points.sqlite").c_str(), 0600), 0);
    const auto read = [&] { read_sweep(folder); };
    EXPECT_THAT(testing::error_of<InputError>(laboratory.folder, read), HasSubstr("is a pipe or a device"));
    const auto write = [&] { Database(folder / "points.sqlite"); };
    EXPECT_THAT(testing::error_of<InputError>(laboratory.folder, write), HasSubstr("is a pipe or a device"));
}

TEST_F(Results, AreNotChangedByATriggerThatAnotherHasMade) {
    const std::filesystem::path file = folder / "points.sqlite";
    SQLite::Database(file, SQLite::OPEN_READWRITE)
        .exec("CREATE TRIGGER t AFTER INSERT ON computations BEGIN DELETE FROM results; END");
    Database(file).record(plan.points[1].key, "p", {3, "stuck", "", 1});
    EXPECT_EQ(read_sweep(folder).done, 1u);
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

TEST(SeedsOfTheFuzzer, AreReadWithAllTheirFigures) {
    for (const auto& [name, methods, points] : {std::tuple{"two-points", std::vector<std::string>{"fp32"}, 2u},
                                                {"two-methods", {"fp32", "fixed_point"}, 1u}}) {
        const testing::TemporaryFolder folder;
        std::filesystem::copy_file(
            std::filesystem::path("tests/sweep/fuzz/corpus/points") / (std::string(name) + ".sqlite"),
            folder.path() / "points.sqlite");
        const SweepResults results = read_sweep(folder.path());
        EXPECT_EQ(results.methods, methods) << name;
        EXPECT_EQ(results.done, points) << name;
        EXPECT_EQ(results.figures.rows.size(), points * methods.size()) << name;
    }
}

}   // namespace
}   // namespace oscar::sweep_results_test
