// Names, values and tables of SQL, for use with SQLiteCpp.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oscar::sql {

/// NULL, INTEGER, REAL or TEXT.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// `name` as an identifier in SQL: "network.link.bandwidth", in double quotes.
std::string identifier(std::string_view name);
/// `text` as a string in SQL, in single quotes.
std::string literal(std::string_view text);

/// Runs a statement without results, its parameters set to `values`, and makes it ready for others.
void run(SQLite::Statement& statement, const std::vector<Value>& values);

/// Rows of values below their names.
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
};

/// All rows that the query gives.
Table read_all(const SQLite::Database& database, const std::string& query);

}   // namespace oscar::sql
