#include "sim/sweep/sql.hpp"

#include <SQLiteCpp/Column.h>

namespace oscar::sql {
namespace {

std::string quoted(std::string_view text, char quote) {
    std::string result(1, quote);
    for (const char c : text) {
        if (c == quote) result += quote;
        result += c;
    }
    return result + quote;
}

/// Sets one parameter of a statement.
struct Bind {
    SQLite::Statement& statement;
    int position;   ///< from 1
    void operator()(std::monostate) const { statement.bind(position); }
    void operator()(const auto& value) const { statement.bind(position, value); }
};

Value value_of(const SQLite::Column& column) {
    if (column.isInteger()) return column.getInt64();
    if (column.isFloat()) return column.getDouble();
    if (column.isNull()) return {};
    return column.getString();
}

}   // namespace

std::string identifier(std::string_view name) { return quoted(name, '"'); }
std::string literal(std::string_view text) { return quoted(text, '\''); }

void run(SQLite::Statement& statement, const std::vector<Value>& values) {
    int position = 0;
    for (const Value& value : values) std::visit(Bind{statement, ++position}, value);
    statement.exec();
    statement.reset();
}

Table read_all(const SQLite::Database& database, const std::string& query, std::size_t most) {
    SQLite::Statement statement(database, query);
    Table table;
    const int columns = statement.getColumnCount();
    for (int c = 0; c < columns; ++c) table.columns.emplace_back(statement.getColumnName(c));
    while (table.rows.size() < most && statement.executeStep()) {
        auto& row = table.rows.emplace_back();
        for (int c = 0; c < columns; ++c) row.push_back(value_of(statement.getColumn(c)));
    }
    return table;
}

}   // namespace oscar::sql
