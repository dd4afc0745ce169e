// Names, values and tables of SQL, for use with SQLiteCpp.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <limits>
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

/// All rows that the query gives, or the first `most` of them.
Table read_all(const SQLite::Database& database, const std::string& query,
               std::size_t most = std::numeric_limits<std::size_t>::max());

/// A line of names, then a line per row; lines end in CR LF. NULL is an empty field; a real number is the shortest text
/// that reads back as the same; a text with a comma, a quote or a line break stands in quotes. A text that a
/// spreadsheet would compute, for it begins with = + - @ or a tab, begins with an apostrophe instead.
std::string to_csv(const Table& table);

}   // namespace oscar::sql
