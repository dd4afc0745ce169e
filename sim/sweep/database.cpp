#include "sim/sweep/database.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/config/error.hpp"
#include "sim/sweep/refuse.hpp"
#include "sim/sweep/views.hpp"

namespace oscar::inline sweep {
namespace {

using sqlite::Statement;
using sqlite::Transaction;

constexpr int schema = 1;
constexpr int application = 0x4F534352;   // "OSCR", so that no other program's database is taken for one of these

constexpr const char* tables = R"(
    CREATE TABLE results (key TEXT PRIMARY KEY, program TEXT NOT NULL, status TEXT NOT NULL,
                          exit_status INTEGER NOT NULL, error TEXT, report TEXT) WITHOUT ROWID;
    CREATE TABLE metrics (key TEXT, method_position INTEGER, method TEXT, metric TEXT, value,
                          PRIMARY KEY (key, method_position, metric)) WITHOUT ROWID;
    CREATE TABLE computations (key TEXT NOT NULL, wall_s REAL NOT NULL, host TEXT);
    CREATE TABLE plan (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
)";

std::int64_t number(sqlite::Connection& connection, const std::string& sql) {
    Statement statement(connection, sql);
    statement.step();
    return std::get<std::int64_t>(statement.value(0));
}

/// Makes the tables in a new file, or checks that an older one has them.
void prepare(sqlite::Connection& connection, const std::filesystem::path& file) {
    Transaction transaction(connection);
    const std::int64_t owner = number(connection, "PRAGMA application_id"),
                       found = number(connection, "PRAGMA user_version");
    if (owner == application && found == schema) return;
    if (owner == application) refuse(file, fmt::format("has schema {}, this program writes schema {}", found, schema));
    if (number(connection, "SELECT count(*) FROM sqlite_master") > 0) refuse(file, "is a database of another program");
    connection.execute(tables);
    connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, schema));
    transaction.commit();
}

std::string plan_table(const std::vector<std::string>& keys) {
    std::string sql = "DROP TABLE plan; CREATE TABLE plan (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE";
    for (const std::string& key : keys) sql += ", " + sqlite::identifier(key) + " NUMERIC";
    return sql + ")";
}

std::string plan_insertion(std::size_t keys) {
    std::string sql = "INSERT INTO plan VALUES (?, ?";
    for (std::size_t i = 0; i < keys; ++i) sql += ", ?";
    return sql + ")";
}

sqlite::Value text_or_null(const std::string& text) { return text.empty() ? sqlite::Value() : sqlite::Value(text); }

/// A figure of the report; none if it is null.
sqlite::Value figure(const nlohmann::ordered_json& value) {
    if (value.is_boolean()) return std::int64_t{value.get<bool>()};
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return {};
}

/// That of metric_names().
const nlohmann::ordered_json& figure_named(const nlohmann::ordered_json& method, const std::string& metric) {
    const std::size_t dot = metric.find('.');
    const auto& outer = method.at(metric.substr(0, dot));
    return dot == std::string::npos ? outer : outer.at(metric.substr(dot + 1));
}

}   // namespace

Database::Database(const std::filesystem::path& file) try : connection_(file) {
    prepare(connection_, file);
} catch (const sqlite::Error& error) {
    if (error.is_of_the_disk()) throw;
    throw InputError(fmt::format("{}; choose another folder with -o DIR", error.what()));
}

void Database::set_plan(const SweepPlan& plan) {
    const auto keys = plan.definition.keys();
    const std::size_t columns = keys.size() + 5 + plan.methods.size() * metric_names().size();
    if (columns > static_cast<std::size_t>(connection_.column_limit()))
        throw InputError(
            fmt::format("the sweep compares {} methods, whose figures take {} columns; SQLite has {} at "
                        "most; split the sweep",
                        plan.methods.size(), columns, connection_.column_limit()));
    Transaction transaction(connection_);
    connection_.execute("DROP VIEW IF EXISTS points; DROP VIEW IF EXISTS methods");
    connection_.execute(plan_table(keys));
    Statement insert(connection_, plan_insertion(keys.size()));
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        insert.bind(1, static_cast<std::int64_t>(i));
        insert.bind(2, plan.points[i].key);
        for (std::size_t k = 0; k < keys.size(); ++k)
            insert.bind(static_cast<int>(k) + 3, flow_text(plan.points[i].settings[k].value));
        insert.run();
    }
    connection_.execute(make_views(keys, plan.methods));
    transaction.commit();
}

std::vector<std::size_t> Database::pending(bool failed) const {
    Statement query(connection_, std::string("SELECT position FROM plan LEFT JOIN results USING (key) WHERE status IS "
                                             "NULL") +
                                     (failed ? " OR status = 'failed'" : "") + " ORDER BY position");
    std::vector<std::size_t> positions;
    while (query.step()) positions.push_back(static_cast<std::size_t>(std::get<std::int64_t>(query.value(0))));
    return positions;
}

PointCounts Database::counts() const {
    const auto count = [&](const char* condition) {
        return static_cast<std::size_t>(
            number(connection_,
                   std::string("SELECT count(*) FROM plan LEFT JOIN results USING (key) WHERE status ") + condition));
    };
    return {count("IS NULL"), count("= 'done'"), count("= 'failed'")};
}

void Database::record_metrics(const std::string& key, const nlohmann::ordered_json& report) {
    Statement insert(connection_, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const auto& method : report.at("methods")) {
        const auto put = [&](const std::string& metric, const nlohmann::ordered_json& value) {
            insert.bind(1, key);
            insert.bind(2, position);
            insert.bind(3, method.at("name").get<std::string>());
            insert.bind(4, metric);
            insert.bind(5, figure(value));
            insert.run();
        };
        for (const std::string& metric : metric_names()) put(metric, figure_named(method, metric));
        for (const auto& [baseline, factor] : method.at("speedup").items()) put(speedup_name(baseline), factor);
        ++position;
    }
}

void Database::record(const std::string& key, const std::string& program, const PointResult& result) {
    nlohmann::ordered_json report, host;
    if (!result.report.empty()) {
        report = nlohmann::ordered_json::parse(result.report);
        host = report.at("host");
        report.erase("host");   // it differs from run to run
    }
    Transaction transaction(connection_);
    Statement insert(connection_, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)");
    insert.bind(1, key);
    insert.bind(2, program);
    insert.bind(3, std::string(report.is_null() ? "failed" : "done"));
    insert.bind(4, std::int64_t{result.exit_status});
    insert.bind(5, text_or_null(result.error));
    insert.bind(6, report.is_null() ? sqlite::Value() : sqlite::Value(report.dump()));
    insert.run();
    if (!report.is_null()) record_metrics(key, report);
    Statement log(connection_, "INSERT INTO computations VALUES (?, ?, ?)");
    log.bind(1, key);
    log.bind(2, result.wall_s);
    log.bind(3, host.is_null() ? sqlite::Value() : sqlite::Value(host.dump()));
    log.run();
    transaction.commit();
}

sqlite::Table Database::read(const std::string& name) const {
    return sqlite::read_all(connection_, "SELECT * FROM " + sqlite::identifier(name));
}

}   // namespace oscar::inline sweep
