#include "sim/sweep/database.hpp"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <nlohmann/json.hpp>

#include "sim/config/error.hpp"
#include "sim/sweep/connection.hpp"
#include "sim/sweep/refuse.hpp"

namespace oscar {
namespace {

using SQLite::Statement;
using SQLite::Transaction;

constexpr const char* tables = R"(
    CREATE TABLE results (key TEXT PRIMARY KEY, program TEXT NOT NULL, status TEXT NOT NULL,
                          exit_status INTEGER NOT NULL, error TEXT, report TEXT) WITHOUT ROWID;
    CREATE TABLE metrics (key TEXT, method_position INTEGER, method TEXT, metric TEXT, value,
                          PRIMARY KEY (key, method_position, metric)) WITHOUT ROWID;
    CREATE TABLE computations (key TEXT NOT NULL, wall_s REAL NOT NULL, host TEXT);
    CREATE TABLE plan (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
)";

/// Makes the tables in a new file, or checks that an older one has them.
void prepare(SQLite::Database& connection, const std::filesystem::path& file) {
    Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
    const int owner = connection.execAndGet("PRAGMA application_id"),
              found = connection.execAndGet("PRAGMA user_version");
    if (owner == database_application && found == database_schema) return;
    if (owner == database_application) refuse_schema(file, found);
    if (connection.execAndGet("SELECT count(*) FROM sqlite_master").getInt() > 0)
        refuse(file, "is a database of another program");
    connection.exec(tables);
    connection.exec(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", database_application, database_schema));
    transaction.commit();
}

std::string plan_table(const std::vector<std::string>& keys) {
    std::string sql = "DROP TABLE plan; CREATE TABLE plan (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE";
    for (const std::string& key : keys) sql += ", " + sql::identifier(key) + " NUMERIC";
    return sql + ")";
}

std::string plan_insertion(std::size_t keys) {
    std::string sql = "INSERT INTO plan VALUES (?, ?";
    for (std::size_t i = 0; i < keys; ++i) sql += ", ?";
    return sql + ")";
}

sql::Value text_or_null(const std::string& text) { return text.empty() ? sql::Value() : sql::Value(text); }

/// A figure of the report, or a word like the bottleneck; none if it is null.
sql::Value figure(const nlohmann::ordered_json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return std::int64_t{value.get<bool>()};
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return {};
}

/// The figure of a method that metric_names() calls `metric`.
const nlohmann::ordered_json& figure_named(const nlohmann::ordered_json& method, const std::string& metric) {
    const std::size_t dot = metric.find('.');
    const auto& outer = method.at(metric.substr(0, dot));
    return dot == std::string::npos ? outer : outer.at(metric.substr(dot + 1));
}

}   // namespace

Database::Database(const std::filesystem::path& file) try
    : connection_(open_untrusted(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)) {
    prepare(connection_, file);
} catch (const SQLite::Exception& error) {
    refuse_database(file, error);
}

void Database::set_plan(const SweepPlan& plan) {
    const auto keys = plan.definition.keys();
    const std::size_t columns = keys.size() + 5 + plan.methods.size() * metric_names(plan.costed, plan.tiered).size();
    const int limit = sqlite3_limit(connection_.getHandle(), SQLITE_LIMIT_COLUMN, -1);
    if (columns > static_cast<std::size_t>(limit))
        throw InputError(
            fmt::format("the sweep compares {} methods, whose figures take {} columns; SQLite has {} at "
                        "most; split the sweep",
                        plan.methods.size(), columns, limit));
    Transaction transaction(connection_, SQLite::TransactionBehavior::IMMEDIATE);
    connection_.exec("DROP VIEW IF EXISTS points; DROP VIEW IF EXISTS methods");
    connection_.exec(plan_table(keys));
    Statement insert(connection_, plan_insertion(keys.size()));
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        std::vector<sql::Value> row{static_cast<std::int64_t>(i), plan.points[i].key};
        for (const Setting& setting : plan.points[i].settings) row.emplace_back(flow_text(setting.value));
        sql::run(insert, row);
    }
    connection_.exec(make_views(plan));
    transaction.commit();
}

std::vector<std::size_t> Database::pending(bool failed) const {
    Statement query(connection_, std::string("SELECT position FROM plan LEFT JOIN results USING (key) WHERE status IS "
                                             "NULL") +
                                     (failed ? " OR status = 'failed'" : "") + " ORDER BY position");
    std::vector<std::size_t> positions;
    while (query.executeStep()) positions.push_back(static_cast<std::size_t>(query.getColumn(0).getInt64()));
    return positions;
}

PointCounts Database::counts() const {
    const auto count = [&](const char* condition) {
        Statement query(
            connection_,
            fmt::format("SELECT count(*) FROM plan LEFT JOIN results USING (key) WHERE status {}", condition));
        query.executeStep();
        return static_cast<std::size_t>(query.getColumn(0).getInt64());
    };
    return {count("IS NULL"), count("= 'done'"), count("= 'failed'")};
}

std::string Database::status_of(const std::string& key) const {
    Statement query(connection_, "SELECT status FROM results WHERE key = ?");
    query.bind(1, key);
    return query.executeStep() ? query.getColumn(0).getString() : "pending";
}

std::vector<BestPoint> Database::best(const SweepPlan& plan, const std::vector<Condition>& conditions) const {
    return best_points(connection_, plan, conditions);
}

std::vector<RankedPoint> Database::best(const std::vector<Objective>& objectives, const Eligible& eligible) const {
    return best_by(connection_, objectives, eligible);
}

std::optional<double> Database::smallest_error(const Eligible& eligible) const {
    return least_error(connection_, eligible);
}

void Database::record_metrics(const std::string& key, const nlohmann::ordered_json& report) {
    Statement insert(connection_, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const auto& method : report.at("methods")) {
        const auto put = [&](const std::string& metric, const nlohmann::ordered_json& value) {
            sql::run(insert, {key, position, method.at("name").get<std::string>(), metric, figure(value)});
        };
        for (const std::string& metric :
             metric_names(method.contains("energy_total_pj"), method.contains("nic_values")))
            put(metric, figure_named(method, metric));
        for (const auto& [baseline, factor] : method.at("speedup").items()) put(speedup_name(baseline), factor);
        ++position;
    }
}

void Database::record(const std::string& key, const std::string& program, const PointResult& result) try {
    nlohmann::ordered_json report, host;
    if (!result.report.empty()) {
        report = nlohmann::ordered_json::parse(result.report);
        host = report.at("host");
        report.erase("host");   // it differs from run to run
    }
    Transaction transaction(connection_, SQLite::TransactionBehavior::IMMEDIATE);
    Statement insert(connection_, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)");
    sql::run(insert, {key, program, report.is_null() ? "failed" : "done", std::int64_t{result.exit_status},
                      text_or_null(result.error), report.is_null() ? sql::Value() : sql::Value(report.dump())});
    if (!report.is_null()) record_metrics(key, report);
    Statement log(connection_, "INSERT INTO computations VALUES (?, ?, ?)");
    sql::run(log, {key, result.wall_s, host.is_null() ? sql::Value() : sql::Value(host.dump())});
    transaction.commit();
} catch (const nlohmann::json::exception&) {   // of a file that another has written
    throw InputError(fmt::format("the result of point {} is no report of this program; remove it", key));
}

sql::Table Database::read(const std::string& name) const {
    return sql::read_all(connection_, "SELECT * FROM " + sql::identifier(name));
}

}   // namespace oscar
