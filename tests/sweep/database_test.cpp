#include "sim/sweep/database.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "sim/files/write_failure.hpp"
#include "sim/report/report.hpp"
#include "sim/sweep/connection.hpp"
#include "tests/sweep/support.hpp"

namespace oscar::database_test {
namespace {

using test::select;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A plan of points that nobody runs: two axes, keys k0, k1, …
SweepPlan plan_of(std::size_t points, const std::vector<std::string>& methods = {"fp32", "asc"}) {
    SweepPlan plan;
    plan.program = "p";
    plan.methods = methods;
    Axis axis;
    for (std::size_t i = 0; i < points; ++i) {
        ConfigNode ranks, rate;
        ranks.form = rate.form = ConfigNode::Form::scalar;
        ranks.text = std::to_string(i + 2);
        rate.text = "25Gbps";
        axis.push_back({{"ranks", ranks}, {"network.link.bandwidth", rate}});
        plan.points.push_back({axis.back(), "k" + std::to_string(i)});
    }
    plan.definition.axes = {axis};
    return plan;
}

/// A report of two methods that took `ps` and twice as long.
std::string report_of(std::int64_t ps, double wall_s = 0.5) {
    Report report;
    for (const char* name : {"fp32", "asc"}) {
        MethodReport& method = report.methods.emplace_back();
        method.name = name;
        method.allreduce_ps = ps;
        ps *= 2;
    }
    report.methods[1].closed_form_ps = 77;
    report.methods[1].bits_per_value = 1.0 / 3;
    add_speedups(report.methods);
    report.host.wall_s = wall_s;
    return to_json(report).dump();
}

const PointResult failure{3, "stuck, \"here\"", "", 0.25};

struct File {
    testing::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "points.sqlite";
    std::vector<std::string> rows(const std::string& sql) const { return select(path, sql); }
};

TEST(Database, HasOneRowPerPointInTheOrderOfThePlan) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(3));
    EXPECT_THAT(file.rows("SELECT position, key, ranks, \"network.link.bandwidth\", status FROM points"),
                ElementsAre("0|k0|2|25Gbps|pending", "1|k1|3|25Gbps|pending", "2|k2|4|25Gbps|pending"));
    EXPECT_THAT(file.rows("SELECT typeof(ranks) FROM points"), Each("integer"));
    EXPECT_THAT(database.pending(false), ElementsAre(0, 1, 2));
}

TEST(Database, KeepsResultsAndErrors) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(3));
    database.record("k1", "p", {0, "", report_of(100), 1.5});
    database.record("k2", "p", failure);
    EXPECT_THAT(file.rows("SELECT status, exit_status, error, \"fp32.allreduce_ps\" FROM points"),
                ElementsAre("pending|||", "done|0||100", "failed|3|stuck, \"here\"|"));
    EXPECT_THAT(database.pending(false), ElementsAre(0));
    EXPECT_THAT(database.pending(true), ElementsAre(0, 2));
    const PointCounts counts = database.counts();
    EXPECT_EQ(counts.pending, 1u);
    EXPECT_EQ(counts.done, 1u);
    EXPECT_EQ(counts.failed, 1u);
}

TEST(Database, HasARowPerMethodWithAllFiguresAndSpeedups) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(1));
    database.record("k0", "p", {0, "", report_of(100), 1});
    EXPECT_THAT(
        file.rows("SELECT method, allreduce_ps, closed_form_ps, \"speedup.fp32\", \"speedup.asc\" FROM methods"),
        ElementsAre("fp32|100||1.000000|2.000000", "asc|200|77|0.500000|1.000000"));
    const auto columns = database.read("methods").columns;
    for (const std::string& metric : metric_names(false)) EXPECT_THAT(columns, Contains(metric));
}

TEST(Database, HasEnergiesAndAreasWhereAPointHasATechnology) {
    const File file;
    Database database(file.path);
    SweepPlan plan = plan_of(2);
    plan.costed = true;
    database.set_plan(plan);
    auto report = nlohmann::ordered_json::parse(report_of(100));
    for (auto& method : report["methods"])
        for (const std::string& metric : metric_names(true))
            if (!method.contains(metric) && metric.find('.') == std::string::npos) method[metric] = nullptr;
    report["methods"][1]["energy_total_pj"] = 7.5;
    database.record("k0", "p", {0, "", report.dump(), 1});
    database.record("k1", "p", {0, "", report_of(100), 1});   // a point without one
    EXPECT_THAT(file.rows("SELECT method, energy_total_pj, engine_area_um2 FROM methods"),
                ElementsAre("fp32||", "asc|7.500000|", "fp32||", "asc||"));
    EXPECT_THAT(database.read("points").columns, Contains("asc.engine_area_um2"));
}

TEST(Database, HasTheBitsOfEachTierWhereAPointHasSeveralIslands) {
    const File file;
    Database database(file.path);
    SweepPlan plan = plan_of(2);
    database.set_plan(plan);
    EXPECT_THAT(database.read("methods").columns, ::testing::Not(Contains("nic_bits_per_value")));
    plan.tiered = true;
    database.set_plan(plan);
    auto report = nlohmann::ordered_json::parse(report_of(100));
    for (auto& method : report["methods"])
        for (const std::string& metric : metric_names(false, true))
            if (!method.contains(metric) && metric.find('.') == std::string::npos) method[metric] = nullptr;
    report["methods"][1]["nic_bits_per_value"] = 4.5;
    database.record("k0", "p", {0, "", report.dump(), 1});
    database.record("k1", "p", {0, "", report_of(100), 1});   // a point of one island
    EXPECT_THAT(file.rows("SELECT method, nic_bits_per_value, island_payload_bytes FROM methods"),
                ElementsAre("fp32||", "asc|4.500000|", "fp32||", "asc||"));
    EXPECT_THAT(database.read("points").columns, Contains("asc.island_bits_per_value"));
}

TEST(Database, KnowsWhereEachMethodGainsMostOverTheFirst) {
    const File file;
    Database database(file.path);
    const SweepPlan plan = plan_of(4);
    database.set_plan(plan);
    EXPECT_THAT(database.best(plan), IsEmpty());
    const auto report = [](std::int64_t fp32_ps, std::int64_t asc_ps, double error) {
        Report result;
        result.methods = {MethodReport{}, MethodReport{}};
        result.methods[0].name = "fp32";
        result.methods[0].allreduce_ps = fp32_ps;
        result.methods[1].name = "asc";
        result.methods[1].allreduce_ps = asc_ps;
        result.methods[1].bottleneck = "dma";
        result.methods[1].relative_l2_error = error;
        add_speedups(result.methods);
        return to_json(result).dump();
    };
    database.record("k0", "p", {0, "", report(100, 50, 0.2), 1});
    database.record("k1", "p", {0, "", report(90, 30, 0.3), 1});
    database.record("k2", "p", {0, "", report(60, 20, 0.3), 1});   // as many times faster, in less time
    const std::string at_2 = "ranks=4 network.link.bandwidth=25Gbps";
    EXPECT_THAT(database.best(plan), ElementsAre(BestPoint{2, at_2, "asc", 3, 20, "dma", 0.3}));   // 0.2 is no half
    database.record("k3", "p", {0, "", report(100, 50, 0.15), 1});
    const BestPoint with_half{3, to_text(plan.points[3].settings), "asc", 2, 50, "dma", 0.15};
    EXPECT_THAT(database.best(plan), ElementsAre(BestPoint{2, at_2, "asc", 3, 20, "dma", 0.3}, with_half));
    EXPECT_THAT(database.best(plan, {{"relative_l2_error", "<", 0.3}}), ElementsAre(with_half));
    EXPECT_EQ(database.status_of("k1"), "done");
    EXPECT_EQ(database.status_of("k9"), "pending");
}

TEST(Database, HoldsFiguresToTheLastBit) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(1));
    database.record("k0", "p", {0, "", report_of(100), 1});
    const auto table = database.read("methods");
    const auto column = std::find(table.columns.begin(), table.columns.end(), "bits_per_value") - table.columns.begin();
    EXPECT_EQ(std::get<double>(table.rows.at(1).at(static_cast<std::size_t>(column))), 1.0 / 3);
}

TEST(Database, KeepsTheReportWithoutWhatDiffersFromRunToRun) {
    const File a, b;
    for (const auto& [file, wall_s] : {std::pair(&a, 0.5), std::pair(&b, 0.7)}) {
        Database database(file->path);
        database.set_plan(plan_of(1));
        database.record("k0", "p", {0, "", report_of(100, wall_s), wall_s});
    }
    const std::string reports = "SELECT report FROM results";
    EXPECT_EQ(a.rows(reports), b.rows(reports));
    EXPECT_THAT(a.rows(reports), ElementsAre(HasSubstr("\"allreduce_ps\":100")));
    EXPECT_THAT(a.rows("SELECT key, wall_s, host FROM computations"),
                ElementsAre(HasSubstr("k0|0.500000|{\"threads\":1,\"wall_s\":0.5")));
}

TEST(Database, IsTheSameInWhateverOrderResultsCome) {
    const File a, b;
    for (const auto& [file, order] : {std::pair(&a, "012"), std::pair(&b, "201")}) {
        Database database(file->path);
        database.set_plan(plan_of(3));
        for (const char digit : std::string(order))
            database.record(std::string("k") + digit, "p", {0, "", report_of(100 + digit), 1});
    }
    for (const char* table : {"plan", "results", "metrics", "points", "methods"})
        EXPECT_EQ(a.rows(std::string("SELECT * FROM ") + table), b.rows(std::string("SELECT * FROM ") + table));
}

TEST(Database, ReplacesAnErrorByTheResultOfAnotherTry) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(1));
    database.record("k0", "p", failure);
    database.record("k0", "p", {0, "", report_of(100), 1});
    EXPECT_THAT(file.rows("SELECT status, error FROM points"), ElementsAre("done|"));
    EXPECT_THAT(file.rows("SELECT count(*) FROM computations"), ElementsAre("2"));
}

TEST(Database, KeepsResultsOfPointsThatAPlanNoLongerHas) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(3));
    database.record("k2", "p", {0, "", report_of(100), 1});
    database.set_plan(plan_of(1, {"fp32"}));
    EXPECT_THAT(file.rows("SELECT key FROM points"), ElementsAre("k0"));
    EXPECT_THAT(file.rows("SELECT key FROM methods"), IsEmpty());
    database.set_plan(plan_of(3));
    EXPECT_THAT(database.pending(false), ElementsAre(0, 1));
}

TEST(Database, QuotesNamesOfAxesAndMethods) {
    const File file;
    Database database(file.path);
    SweepPlan plan = plan_of(1, {"it's", "a\"b"});
    for (Settings* settings : {&plan.points[0].settings, &plan.definition.axes[0][0]})
        settings->front().key = "odd \"key\"; DROP TABLE plan";
    database.set_plan(plan);
    EXPECT_THAT(database.read("points").columns, Contains("odd \"key\"; DROP TABLE plan"));
    EXPECT_THAT(database.read("methods").columns, Contains("speedup.it's"));
}

TEST(Database, RefusesWhatIsNoDatabaseOfThisProgram) {
    const int writing = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
    const File text, foreign, future;
    const auto error = [](const File& file) {
        return testing::error_of<InputError>(file.folder, [&] { Database database(file.path); });
    };
    text.folder.write("points.sqlite", std::string(4096, 'x'));
    EXPECT_THAT(
        error(text),
        HasSubstr("points.sqlite: is damaged or no database (file is not a database); move it away, and the sweep "
                  "computes its points anew, or choose another folder"));
    SQLite::Database(foreign.path, writing).exec("CREATE TABLE t (x)");
    EXPECT_THAT(error(foreign), HasSubstr("is a database of another program"));
    { Database database(future.path); }
    SQLite::Database(future.path, writing).exec("PRAGMA user_version = 2");
    EXPECT_THAT(error(future), HasSubstr("has schema 2, this program writes schema 1"));
}

TEST(Database, SaysWhatToDoAboutAFullDiskAndADamagedFile) {
    const auto error = [](int code) { return SQLite::Exception("what SQLite says", code); };
    const auto text_of = [&](int code) -> std::string {
        try {
            refuse_database("d/points.sqlite", error(code));
        } catch (const WriteFailure& full) {
            return std::string("status 1: ") + full.what();
        } catch (const InputError& refusal) {
            return std::string("status 2: ") + refusal.what();
        }
    };
    EXPECT_EQ(
        text_of(SQLITE_FULL),
        "status 1: d/points.sqlite: cannot be written, the disk is full (No space left on device); free some space or "
        "choose another folder with -o DIR");
    EXPECT_THAT(text_of(SQLITE_IOERR),
                HasSubstr("status 1: d/points.sqlite: cannot be written or read (what SQLite says)"));
    EXPECT_THAT(text_of(SQLITE_CORRUPT),
                HasSubstr("status 2: d/points.sqlite: is damaged or no database (what SQLite"));
    EXPECT_EQ(text_of(SQLITE_CANTOPEN),
              "status 2: d/points.sqlite: what SQLite says; choose another folder with -o DIR");
}

TEST(Database, RefusesMoreMethodsThanItHasColumnsFor) {
    const File file;
    Database database(file.path);
    database.set_plan(plan_of(1));
    EXPECT_THROW(database.set_plan(plan_of(1, std::vector<std::string>(200, "m"))), InputError);
    EXPECT_EQ(file.rows("SELECT count(*) FROM points").front(), "1");   // the plan before
}

TEST(Metrics, AreEveryFigureOfAMethodInTheReport) {
    const auto report = nlohmann::ordered_json::parse(report_of(1));
    std::vector<std::string> figures;
    for (const auto& [key, value] : report["methods"][0].items())
        if (key == "critical_path")
            for (const auto& part : value.items()) figures.push_back(key + "." + part.key());
        else if (!value.is_structured() && key != "name") figures.push_back(key);
    EXPECT_EQ(metric_names(false), figures);
}

}   // namespace
}   // namespace oscar::database_test
